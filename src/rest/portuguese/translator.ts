/** The pattern of each placeholder: one for text that is translated, the others for text that is kept. */
const placeholders: Readonly<Record<string, string>> = {
  '{text}': '(.+)',
  '{names}': '(`[^`]+`(?: or `[^`]+`)*)',
  '{name}': String.raw`(\w+)`,
  '{level}': String.raw`(\d)`,
};

const PLACEHOLDER = /\{\w+\}/g;

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

function matching(entry: string): RegExp {
  const parts = entry.split(/(\{\w+\})/);
  return new RegExp(`^${parts.map(part => placeholders[part] ?? escaped(part)).join('')}$`);
}

/**
 * Returns a function that translates a text by these entries, or returns undefined for a text without an entry. An
 * entry with placeholders translates all texts of that form.
 */
export function translator(entries: Readonly<Record<string, string>>) {
  const composed = Object.keys(entries)
    .map(entry => ({
      entry,
      names: [...entry.matchAll(PLACEHOLDER)].map(([name]) => name),
      expression: matching(entry),
    }))
    .filter(({ names }) => names.length > 0);

  return function translate(text: string): string | undefined {
    const whole = entries[text];
    if (whole !== undefined) return whole;
    for (const { entry, names, expression } of composed) {
      const found = expression.exec(text)?.slice(1);
      if (!found) continue;
      const given = found.map((part, i) =>
        names[i] === '{text}' ? translate(part) : part.replaceAll(' or ', ' ou '),
      );
      if (given.includes(undefined)) continue;
      return entries[entry]!.replace(PLACEHOLDER, name => given[names.indexOf(name)]!);
    }
    return undefined;
  };
}
