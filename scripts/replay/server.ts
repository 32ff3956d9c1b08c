import type { Login } from './logins.ts';
import type { Secrets } from './secrets.ts';

export interface Answer {
  /** 0 if there was no answer. */
  status: number;
  /** Media type without parameters. */
  type: string;
  /** Parsed JSON, or the text of a csv. */
  body: unknown;
}

const TIMEOUT_MS = 120_000;

/** One of the two services. */
export class Server {
  #token = '';

  constructor(
    /** Without a slash at the end. */
    readonly url: string,
    private readonly login: Login | undefined,
  ) {}

  /** Logs in, as the specification says. @throws Error when the service does not answer with a token */
  async logIn(secrets: Secrets): Promise<void> {
    if (!this.login) return;
    const { username, password } = this.login;
    secrets.add(password, this.login['api-key']);
    const { status, body } = await this.#fetch('POST', '/auth/login', this.#system(), { username, password });
    const token = (body as { token?: unknown } | null)?.token;
    if (typeof token !== 'string') throw new Error(`${this.url} does not let ${username} in: ${status}`);
    secrets.add(token);
    this.#token = token;
  }

  /** Sends a request. If the client sent a token, it gets the token of this service's login. */
  send(method: string, target: string, { hadToken = true, body }: SendOptions): Promise<Answer> {
    const headers = { ...this.#system(), ...(hadToken && this.#token && { token: this.#token }) };
    return this.#fetch(method, target.replaceAll(TOKEN, this.#token || 'x'), headers, body);
  }

  #system(): Record<string, string> {
    if (!this.login) return {};
    const { 'app-name': name, 'api-key': key, appversion = '1.0.0' } = this.login;
    return { 'app-name': name, 'api-key': key, appversion };
  }

  async #fetch(method: string, target: string, headers: object, body: unknown): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    try {
      const response = await fetch(this.url + target, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(text && { 'content-type': 'application/json' }),
        },
        ...(text && { body: text }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
      return { status: response.status, type, body: await bodyOf(response, type) };
    } catch {
      return { status: 0, type: '', body: undefined };
    }
  }
}

/** Placeholder for a token in a target. */
export const TOKEN = '{token}';

interface SendOptions {
  hadToken?: boolean | undefined;
  body?: unknown;
}

async function bodyOf(response: Response, type: string): Promise<unknown> {
  if (!/json|csv/.test(type)) {
    await response.arrayBuffer();
    return undefined;
  }
  const text = await response.text();
  if (type.includes('csv')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
