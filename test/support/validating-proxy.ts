import { createRequire } from 'node:module';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { Client, type Answer } from './client.ts';
import type { TestService } from './service.ts';

interface Bundled {
  __bundled__?: object;
}
interface Ajv {
  compile: (this: Ajv, schema: Bundled) => unknown;
}

/**
 * Makes Prism compile equal schemas only once. Its own cache never finds the schema of a body, because each request
 * gets a copy, and compiling takes far longer than validating.
 */
function compileOnce(): void {
  const require = createRequire(import.meta.resolve('@stoplight/prism-http'));
  const { prototype } = (require('ajv') as { default: { prototype: Ajv } }).default;
  const { compile } = prototype;
  const none = {};
  /** Compiled schemas, by compiler and by schema. */
  const known = new WeakMap<Ajv, WeakMap<object, Map<string, unknown>>>();
  prototype.compile = function (schema) {
    const { __bundled__: bundle = none, ...own } = schema;
    const ofThis = known.get(this) ?? new WeakMap<object, Map<string, unknown>>();
    const compiled = ofThis.get(bundle) ?? new Map<string, unknown>();
    known.set(this, ofThis.set(bundle, compiled));
    const text = JSON.stringify(own);
    if (!compiled.has(text)) compiled.set(text, compile.call(this, schema));
    return compiled.get(text);
  };
}
compileOnce();

/** A client behind Prism, which compares each exchange with the documentation. */
class ValidatedClient extends Client {
  constructor(
    url: string,
    headers: Record<string, string>,
    private readonly violations: string[],
  ) {
    super(url, headers);
  }

  override with(headers: Record<string, string>): Client {
    return new ValidatedClient(this.url, { ...this.headers, ...headers }, this.violations);
  }

  override async raw(path: string, init: RequestInit): Promise<Answer> {
    const answer = await super.raw(path, init);
    const { status, headers, body } = answer;
    const isPrisms = typeof body?.type === 'string' && (body.type as string).includes('stoplight.io/prism');
    const told = isPrisms ? JSON.stringify(body.validation ?? body) : headers.get('sl-violations');
    if (told) this.violations.push(`${init.method} ${path} ${status}: ${told}`);
    return answer;
  }
}

/**
 * Puts Prism in front of a test's service twice: once it checks requests and answers, and once only answers, for
 * requests that the documentation does not allow. Its findings are in `violations`.
 */
export function useValidation(service: () => TestService) {
  const violations: string[] = [];
  const proxies: ReturnType<typeof createServer>[] = [];
  let urls: string[];
  beforeAll(async () => {
    const document = (await service().anyone.get('/openapi.json')).body as object;
    const operations = await getHttpOperationsFromSpec(document);
    const logger = pino({ level: 'silent', customLevels: { success: 33 } });
    for (const validateRequest of [true, false])
      proxies.push(
        createServer(operations, {
          components: { logger: logger as never },
          cors: false,
          config: {
            isProxy: true,
            upstream: new URL(service().url),
            upstreamProxy: undefined,
            mock: { dynamic: false },
            checkSecurity: validateRequest,
            validateRequest,
            validateResponse: true,
            errors: true,
          },
        }),
      );
    urls = await Promise.all(proxies.map(proxy => proxy.listen(0, '127.0.0.1')));
  });
  afterAll(() => Promise.all(proxies.map(proxy => proxy.close())));
  const behind = (i: number, { headers }: Client): Client =>
    new ValidatedClient(urls[i]!, headers, violations);
  return {
    violations,
    /** The same client. Its requests must match the documentation. */
    strictly: (client: Client): Client => behind(0, client),
    /** The same client. Its requests may be anything. */
    leniently: (client: Client): Client => behind(1, client),
  };
}
