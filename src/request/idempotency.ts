import type { EntityManager } from '@mikro-orm/postgresql';
import { print, type GraphQLResolveInfo } from 'graphql';
import { isRepeatable, type Access } from '../access/access.ts';
import { digest } from '../access/secrets.ts';
import { tryLock } from '../database/locks.ts';
import { AppError, conflict } from '../errors.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { shapesOf } from '../graph/shape.ts';
import { requestTexts } from './messages.ts';
import type { Context } from './context.ts';
import { fromStored, toStored } from './stored-answer.ts';

/** How long an answer is kept. */
const KEPT = `interval '24 hours'`;

/**
 * The stored answer of this field, or of another field with the same key, which shows whether the request is the same.
 */
const ANSWER = `select resumo, resposta, campo = $3 as own, formato from idempotencia
where id_pessoa = $1 and chave = $2 and criado_em > now() - ${KEPT} order by own desc limit 1`;

/** Version 1.0.0 stored digests of REST requests that depend on the fields of its answers. That is format 1. */
const FORMAT = 2;

const KEEP = `insert into idempotencia (id_pessoa, chave, campo, resumo, resposta, formato)
values ($1, $2, $3, $4, $5, ${FORMAT})
on conflict (id_pessoa, chave, campo)
do update set resumo = excluded.resumo, resposta = excluded.resposta, formato = ${FORMAT}, criado_em = now()`;

const PURGE = `delete from idempotencia where criado_em <= now() - ${KEPT}`;

/**
 * Runs a mutation with an `Idempotency-Key` at most once. Its answer is stored in its own transaction, so that either
 * both are committed or neither. A failed mutation stores nothing, so clients may retry it.
 */
export class OnceOnly {
  /** Response name of the field. Several mutations of one request have separate answers. */
  readonly #field: string;
  /** Digest of the whole request. Using the same key for another request is an error. */
  readonly #fingerprint: Buffer;
  /** Whether the service chose the fields of the answer. Another version may have chosen other fields. */
  readonly #isRest: boolean;

  constructor(
    private readonly key: string,
    { path, operation, fragments, variableValues, schema }: GraphQLResolveInfo,
  ) {
    this.#field = String(path.key);
    this.#isRest = shapesOf(schema) === undefined;
    const document = this.#isRest
      ? this.#field
      : [operation, ...Object.values(fragments)].map(node => print(node));
    this.#fingerprint = digest(JSON.stringify([document, variableValues]));
  }

  /** The stored answer of this person, if any. @throws VALIDATION_FAILED when another request used the key */
  async storedAnswer(reader: Reader, idPessoa: number): Promise<{ answer: unknown } | undefined> {
    const [row] = await reader.rows(ANSWER, [idPessoa, this.key, this.#field]);
    if (!row) return undefined;
    const [fingerprint, answer, own, format] = row as [Buffer, unknown, boolean, number];
    const isComparable = !this.#isRest || format === FORMAT;
    if (isComparable && !this.#fingerprint.equals(fingerprint))
      throw new AppError('VALIDATION_FAILED', { detail: requestTexts.otherRequest });
    return own ? { answer: fromStored(answer) } : undefined;
  }

  /**
   * Runs the work in its transaction and stores its answer. @throws CONFLICT while the first request is still running
   */
  async run<T>(em: EntityManager, idPessoa: number, work: () => Promise<T>): Promise<T> {
    const reader = transactionReader(em);
    // A concurrent request with the same key fails at once. After a crash the lock ends with its transaction.
    if (!(await tryLock(reader, 'idempotencyKeys', `${idPessoa} ${this.key}`)))
      throw conflict(requestTexts.stillRunning);
    const stored = await this.storedAnswer(reader, idPessoa);
    if (stored) return stored.answer as T;
    const answer = await work();
    await reader.rows(KEEP, [idPessoa, this.key, this.#field, this.#fingerprint, toStored(answer)]);
    return answer;
  }
}

/**
 * Runs a mutation at most once; undefined if the request has no `Idempotency-Key`, or if the answer must not be stored.
 * @throws BAD_REQUEST for an invalid key
 */
export function onceOnly(access: Access, context: Context, info: GraphQLResolveInfo): OnceOnly | undefined {
  const key = isRepeatable(access) ? context.idempotencyKey : undefined;
  return key === undefined ? undefined : new OnceOnly(key, info);
}

/** Deletes expired answers. */
export async function dropOldAnswers(reader: Reader): Promise<void> {
  await reader.rows(PURGE, []);
}
