import { plain, resolve, type Document, type Plain, type Schema } from './document.ts';

/** Whether values of a schema are sent by clients, so that the service must accept them, or answered to clients. */
export type Direction = 'sent' | 'answered';

/** The same schema in the old and in the new document. */
export type Pair<T> = readonly [before: T, after: T];

/** Compares schemas of two documents, through their references. */
export class SchemaChanges {
  readonly #seen = new Set<string>();

  constructor(
    private readonly documents: Pair<Document>,
    private readonly direction: Direction,
  ) {}

  /** Breaking changes, as sentences that begin with `where`. Each component is compared once. */
  of(where: string, [before, after]: Pair<Schema>): string[] {
    const names = [before, after].map(schema => plain(schema).$ref);
    const both = names.every(Boolean) && names.join(' ');
    const nullable = this.#nullable(where, [before, after]);
    if (both && this.#seen.has(both)) return nullable;
    if (both) this.#seen.add(both);
    const pair = [resolve(this.documents[0], before), resolve(this.documents[1], after)] as const;
    return [...nullable, ...this.#resolved(both ? names[0]!.split('/').at(-1)! : where, pair)];
  }

  #resolved(where: string, [before, after]: Pair<Plain>): string[] {
    const kinds = [before, after].map(({ type = 'any', format }) => (format ? `${type} (${format})` : type));
    if (kinds[0] !== kinds[1]) return [`${where} changed from ${kinds[0]} to ${kinds[1]}`];
    if (before.anyOf?.length !== after.anyOf?.length) return [`${where} changed its alternatives`];
    return [
      ...this.#values(where, [before, after]),
      ...this.#properties(where, [before, after]),
      ...(before.anyOf ?? []).flatMap((one, i) => this.of(`${where} (${i + 1})`, [one, after.anyOf![i]!])),
      ...(before.items && after.items ? this.of(`${where}[]`, [before.items, after.items]) : []),
    ];
  }

  #nullable(where: string, pair: Pair<Schema>): string[] {
    const [was, is] = pair.map(schema => plain(schema).isNullable);
    if (this.direction === 'sent') return was && !is ? [`${where} may no longer be null`] : [];
    return is && !was ? [`${where} may now be null`] : [];
  }

  #values(where: string, [before, after]: Pair<Plain>): string[] {
    const sent = this.direction === 'sent';
    const [values, understood] = sent ? [before.enum, after.enum] : [after.enum, before.enum];
    if (!understood) return [];
    if (!values) return [`${where} ${sent ? 'now takes' : 'no longer has'} certain values only`];
    const others = values.filter(value => !understood.includes(value));
    return others.map(value => `${where} may ${sent ? 'no longer' : 'now'} be ${value}`);
  }

  #properties(where: string, [before, after]: Pair<Plain>): string[] {
    const [were, are] = [before.properties ?? {}, after.properties ?? {}];
    const kept = Object.keys(were).filter(name => are[name]);
    const needed = (schema: Plain, name: string): boolean => schema.required?.includes(name) ?? false;
    const gone = Object.keys(were).filter(name => !are[name]);
    const demanded = Object.keys(are).filter(name => needed(after, name) && !needed(before, name));
    const missing = kept.filter(name => needed(before, name) && !needed(after, name));
    return [
      ...gone.map(name => `${where}.${name} was removed`),
      ...(this.direction === 'sent'
        ? demanded.map(name => `${where}.${name} is now required`)
        : missing.map(name => `${where}.${name} may now be absent`)),
      ...kept.flatMap(name => this.of(`${where}.${name}`, [were[name]!, are[name]!])),
    ];
  }
}
