import { DEMO_API_KEY, demoPassword } from '../../src/demo/login.ts';

/** An answer as a client sees it; `body` is parsed when it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // Tests look into answers freely.
  body: any;
}

export interface GraphQLAnswer {
  data: any;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; errors?: { field: string; message: string }[] };
  }[];
}

/** The headers with which the demo system identifies itself. */
export const systemHeaders = { 'app-name': 'SII', 'api-key': DEMO_API_KEY, appversion: '1.0.0' };

/** A client of both faces, with headers for all its requests. */
export class Client {
  constructor(
    readonly url: string,
    readonly headers: Record<string, string> = {},
  ) {}

  with(headers: Record<string, string>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  get = (path: string): Promise<Answer> => this.send('GET', path);
  post = (path: string, body: unknown = {}): Promise<Answer> => this.send('POST', path, body);
  put = (path: string, body: unknown = {}): Promise<Answer> => this.send('PUT', path, body);
  delete = (path: string): Promise<Answer> => this.send('DELETE', path);

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.raw(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  }

  /** A raw request, with nothing added or corrected. */
  async raw(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, {
      ...init,
      // Compression would cost more than many requests. test/compression.test.ts tests it.
      headers: {
        'accept-encoding': 'identity',
        ...this.headers,
        ...(init.headers as Record<string, string>),
      },
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async graphql(query: string, variables?: Record<string, unknown>): Promise<GraphQLAnswer> {
    const { body } = await this.post('/graphql', { query, variables });
    return body as GraphQLAnswer;
  }

  /** The same client with the token of a new login. */
  async login(usuario: string, password = demoPassword(usuario)): Promise<Client> {
    const { status, body } = await this.with(systemHeaders).post('/auth/login', {
      username: usuario,
      password,
    });
    if (status !== 200) throw new Error(`login of ${usuario}: ${status} ${JSON.stringify(body)}`);
    return this.with({ token: body.token as string });
  }
}
