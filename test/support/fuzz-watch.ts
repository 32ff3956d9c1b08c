import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { catalogue, type ErrorCode } from '../../src/errors.ts';
import { systemHeaders } from './client.ts';
import { everything, makeCaller } from './administration.ts';
import { startService, type TestService } from './service.ts';

/** A request as it is sent, without any correction. */
export interface Wire {
  method: string;
  /** Path and query, in characters below U+0100. Each is one byte. */
  target: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Longest wait for an answer. After that the request counts as hanging. */
const HANGS_MS = 30_000;

/** Internal details that must not occur in an answer: stack lines, modules, statements, messages of the database. */
const INSIDE =
  /\bat [\w.<>]+ \(|node_modules|\.[jt]s:\d|node:internal|violates|relation "|column "|syntax error at or near|\bselect .+ from |\binsert into |<html|<!doctype/i;

/** Rows of every table as one number each: every insert, update and delete changes it. */
const CONTENT: Readonly<Record<string, string>> = {
  // The use of a key is stored once a minute, even for a refused request.
  chave_api: `to_jsonb(t) - 'ultimo_uso' - 'versao'`,
};
/**
 * Tables that a request may change although it has no effect: failed logins are counted, committed transactions are
 * numbered.
 */
const COUNTERS = new Set(['tentativa_senha', 'historia_mudancas', 'mudanca_transacao']);

/** Sends anything to a service, and checks its answers, its data and its log. */
export class Watch {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  #headers: Record<string, string> | undefined;
  /** Number of refused requests, and of requests that changed something. */
  refused = 0;
  done = 0;
  #state: { transaction: string; data: string } | undefined;

  private constructor(
    readonly service: TestService,
    private readonly errors: string[],
  ) {}

  static async start(): Promise<Watch> {
    const errors: string[] = [];
    const log = pino({ level: 'error' }, { write: line => void errors.push(line) });
    return new Watch(await startService({}, undefined, log), errors);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.service.stop();
  }

  /** Headers of a person with all permissions, until a request revokes them. */
  async headers(): Promise<Record<string, string>> {
    this.#headers ??= { ...systemHeaders, ...(await makeCaller(this.service, everything)).client.headers };
    return this.#headers;
  }

  /**
   * Sends a request, and checks that the answer is valid and that a refused request has changed nothing.
   * @throws Error with the request and the problem
   */
  async expectHarmless(wire: Wire, problems: (answer: WireAnswer) => string[]): Promise<WireAnswer> {
    const before = await this.#stored();
    const answer = await this.send(wire);
    const found = [...general(answer), ...problems(answer), ...this.complaints()];
    const after = await this.#stored();
    if (isRefused(wire, answer) && before !== after)
      found.push(`changed what is stored: ${difference(before, after)}`);
    // The request may have changed the caller's permissions.
    if (/"code":"(UNAUTHENTICATED|FORBIDDEN)"/.test(answer.text)) this.#headers = undefined;
    if (isRefused(wire, answer)) this.refused += 1;
    else if (before !== after) this.done += 1;
    if (found.length > 0)
      throw new Error([told(wire), `${answer.status} ${answer.text.slice(0, 600)}`, ...found].join('\n'));
    return answer;
  }

  /** Errors in the log since the last call. */
  complaints(): string[] {
    return this.errors.splice(0);
  }

  send({ method, target, headers, body }: Wire): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.service.url);
      const signal = AbortSignal.timeout(HANGS_MS);
      const sent = request(
        { agent: this.#agent, hostname, port, method, path: target, headers, signal },
        response => {
          const chunks: Buffer[] = [];
          response.on('data', chunk => chunks.push(chunk as Buffer));
          response.once('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
          response.once('error', reject);
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  /** The content of every table, read again only if any transaction has written since. */
  async #stored(): Promise<string> {
    const [[transaction]] = (await this.service.sql(
      'select pg_snapshot_xmax(pg_current_snapshot())::text',
    )) as [[string]];
    if (this.#state?.transaction !== transaction)
      this.#state = { transaction, data: await this.#fingerprint() };
    return this.#state.data;
  }

  async #fingerprint(): Promise<string> {
    const tables = (await this.service.sql(
      `select c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    )) as [string][];
    const sums = tables
      .filter(([table]) => !COUNTERS.has(table))
      .map(([table]) => {
        const row = CONTENT[table] ?? `t.ctid::text || ' ' || t.xmin::text`;
        return `select '${table}', count(*), coalesce(sum(hashtextextended((${row})::text, 0)), 0)::text from "${table}" t`;
      });
    return (await this.service.sql(sums.join(' union all '))).map(row => row.join(' ')).join('\n');
  }
}

/** Whether an answer means that nothing was done. For several GraphQL fields, each of them must have failed. */
function isRefused({ method }: Wire, { status, text }: WireAnswer): boolean {
  if (method === 'GET' || method === 'HEAD' || status >= 400) return true;
  const { data, errors } = parsed(text) as { data?: Record<string, unknown> | null; errors?: unknown };
  return errors !== undefined && Object.values(data ?? {}).every(value => value === null);
}

function general({ status, headers, text }: WireAnswer): string[] {
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(headers.location !== undefined && status !== 201 ? [`redirects to ${headers.location}`] : []),
    ...(headers['x-request-id'] ? [] : ['no X-Request-Id']),
    ...(INSIDE.test(text) && status >= 400 ? ['tells of the inside'] : []),
  ];
}

/** Problems of a REST answer. */
export function problemsOfRest({ status, headers, text }: WireAnswer): string[] {
  const type = headers['content-type'] ?? '';
  if (status < 400)
    return /json/.test(type) && parsed(text) === undefined && text !== '' ? ['is not JSON'] : [];
  if (text === '') return [];
  if (type !== 'application/problem+json; charset=utf-8') return [`is ${type}`];
  const { code, status: shown } = parsed(text) as { code: ErrorCode; status: number };
  return catalogue[code]?.status === status && shown === status ? [] : [`code ${code}`];
}

/** Problems of a GraphQL answer. */
export function problemsOfGraphQL({ headers, text }: WireAnswer): string[] {
  if (!/^application\/(graphql-response\+)?json/.test(headers['content-type'] ?? ''))
    return [`is ${headers['content-type']}`];
  const { errors = [] } = parsed(text) as {
    errors?: { message: string; extensions?: { code?: ErrorCode } }[];
  };
  return errors.flatMap(({ extensions }) => {
    const code = extensions?.code;
    if (code === undefined || !(code in catalogue)) return [`code ${code}`];
    return catalogue[code].status >= 500 ? [`code ${code}`] : [];
  });
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const difference = (before: string, after: string): string =>
  after
    .split('\n')
    .filter(line => !before.includes(line))
    .join('; ');

/** A readable form of a request. */
const told = ({ method, target, headers, body }: Wire): string =>
  [
    `${method} ${target}`,
    JSON.stringify(headers),
    ...(body
      ? [body.length > 2000 ? `${body.toString('latin1', 0, 2000)}… ${body.length} bytes` : body.toString()]
      : []),
  ].join('\n');
