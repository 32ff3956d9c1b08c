/** Shorter secrets are not searched for in texts, where they occur by chance. Members with secret names are still hidden. */
const SHORTEST = 6;
export const HIDDEN = '•••';

const SECRET_NAME = /token|senha|password|api[-_]?key|secret|authorization|cookie|cvr/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Collects tokens, keys and passwords, and hides them in texts. */
export class Secrets {
  readonly #known = new Set<string>();

  add(...texts: (string | undefined)[]): void {
    for (const text of texts) if (text && text.length >= SHORTEST) this.#known.add(text);
  }

  /** Adds the secret members of a JSON value. */
  addFrom(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (typeof member === 'string' && isSecretName(name)) this.add(member);
      else this.addFrom(member);
  }

  /** The text without secrets, in plain form and as encoded in URLs or JSON. */
  hide(text: string): string {
    let hidden = text;
    for (const secret of [...this.#known].toSorted((a, b) => b.length - a.length))
      for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]))
        hidden = hidden.replaceAll(form, HIDDEN);
    return hidden;
  }

  /** A path and query without the values of secret parameters. */
  hideTarget(target: string): string {
    return this.hide(
      target.replace(/([?&])([^=&]+)=([^&]*)/g, (all, mark: string, name: string) =>
        isSecretName(name) ? `${mark}${name}=${HIDDEN}` : all,
      ),
    );
  }
}
