import type { CallingSystem, CallingSystems, PresumedSystem } from '../access/calling-system.ts';
import { digest } from '../access/secrets.ts';
import type { Statement } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import { requestTexts } from './messages.ts';

/** A calling system, and how the work for it confirms it. */
export interface SystemToConfirm {
  system: CallingSystem;
  /** What the work reads together with its own first statement; absent if the system was just read. */
  statement?: Statement;
  /** Takes the rows of the statement. Nothing may be done for the system before. @throws Error if it has changed */
  confirm?: (rows: readonly unknown[][]) => Promise<void>;
}

/** The calling system of a request, looked up once until it is forgotten. */
export class SentSystem {
  #presumed: PresumedSystem | undefined;
  #found: Promise<CallingSystem | null> | undefined;
  #find: () => Promise<CallingSystem | null>;

  constructor(
    private readonly systems: CallingSystems,
    private readonly header: (name: string) => string | undefined,
  ) {
    this.#find = () => {
      const sent = this.#credentials;
      return sent ? systems.find(sent) : Promise.resolve(null);
    };
  }

  /** Looks it up in another way than by the headers. */
  enterBy(find: () => Promise<CallingSystem | null>): void {
    this.#find = find;
  }

  /** Looks it up anew when it is needed. */
  forget(): void {
    this.#found = undefined;
    this.#presumed = undefined;
  }

  /** The system; null if the request has no valid API key. */
  orNull(): Promise<CallingSystem | null> {
    return (this.#found ??= this.#find());
  }

  /** @throws UNAUTHENTICATED if the request has no valid API key */
  async required(): Promise<CallingSystem> {
    const system = await this.orNull();
    if (system) return system;
    // One text for all that may be wrong with a key: it tells nobody which systems and keys there are.
    const detail = this.#credentials ? requestTexts.apiKeyRefused : requestTexts.apiKeyNeeded;
    throw new AppError('UNAUTHENTICATED', { detail });
  }

  /** Lets the request begin with the system that this process has cached. @throws UNAUTHENTICATED if there is none */
  async presume(): Promise<void> {
    const sent = this.#found ? undefined : this.#credentials;
    this.#presumed = sent && this.systems.presume(sent);
    if (!this.#presumed) await this.required();
  }

  /**
   * The result of work that confirms its system. If it began with a cached one that turns out to be outdated, it runs
   * again with the current one. @throws UNAUTHENTICATED if there is none
   */
  async confirmed<T>(work: (toConfirm: SystemToConfirm) => Promise<T>): Promise<T> {
    const presumed = this.#presumed;
    if (presumed) {
      try {
        return await work(presumed);
      } catch (error) {
        if (await presumed.isCurrent()) throw error;
      }
      this.#presumed = undefined;
      this.#found = presumed.current;
    }
    return work({ system: await this.required() });
  }

  get #credentials() {
    const sigla = this.header('app-name');
    const apiKey = this.header('api-key');
    return sigla && apiKey ? { sigla, hash: digest(apiKey) } : undefined;
  }
}
