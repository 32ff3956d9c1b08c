import type { EntityManager } from '@mikro-orm/postgresql';
import { print, type GraphQLResolveInfo } from 'graphql';
import { digest } from '../access/secrets.ts';
import { tryLock } from '../database/locks.ts';
import { AppError, conflict } from '../errors.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { messages } from '../messages.ts';

/** How long an answer is kept for its key. */
const KEPT = `interval '24 hours'`;

/** The field's own answer, or one of another field: it tells which request the key belongs to. */
const ANSWER = `select resumo, resposta, campo = $3 as own from idempotencia
where id_pessoa = $1 and chave = $2 and criado_em > now() - ${KEPT} order by own desc limit 1`;

const KEEP = `insert into idempotencia (id_pessoa, chave, campo, resumo, resposta) values ($1, $2, $3, $4, $5)
on conflict (id_pessoa, chave, campo)
do update set resumo = excluded.resumo, resposta = excluded.resposta, criado_em = now()`;

const PURGE = `delete from idempotencia where criado_em <= now() - ${KEPT}`;

/** An answer that was given before. */
interface Given {
  answer: unknown;
}

/**
 * A mutation that its caller may send again under the same key (`Idempotency-Key`) and that is done once: what it
 * answered is written in its own transaction, so that both stand or neither. A mutation that failed left nothing, and
 * may be sent again.
 */
export class OnceOnly {
  readonly #key: [idPessoa: number, chave: string];
  /** Of several mutations in one request each has its own answer, under the name that the answer has there. */
  readonly #field: string;
  /** Of the whole request: the same key with another one is a mistake. */
  readonly #fingerprint: Buffer;

  constructor(
    idPessoa: number,
    key: string,
    { path, operation, fragments, variableValues }: GraphQLResolveInfo,
  ) {
    this.#key = [idPessoa, key];
    this.#field = String(path.key);
    const document = [operation, ...Object.values(fragments)].map(print);
    this.#fingerprint = digest(JSON.stringify([document, variableValues]));
  }

  /** What the mutation answered before, if it did. @throws VALIDATION_FAILED when the key was another request's */
  async given(reader: Reader): Promise<Given | undefined> {
    const [row] = await reader.rows(ANSWER, [...this.#key, this.#field]);
    if (!row) return undefined;
    const [fingerprint, answer, own] = row as [Buffer, unknown, boolean];
    if (!this.#fingerprint.equals(fingerprint))
      throw new AppError('VALIDATION_FAILED', { detail: messages.otherRequest });
    return own ? { answer } : undefined;
  }

  /** Does the work inside its transaction and keeps its answer. @throws CONFLICT while the first one still runs */
  async run<T>(em: EntityManager, work: () => Promise<T>): Promise<T> {
    const reader = transactionReader(em);
    // Whoever sends the same key meanwhile does not wait. A crash ends the lock with its transaction.
    if (!(await tryLock(reader, 'idempotencyKeys', this.#key.join(' '))))
      throw conflict(messages.stillRunning);
    const given = await this.given(reader);
    if (given) return given.answer as T;
    const answer = await work();
    await reader.rows(KEEP, [...this.#key, this.#field, this.#fingerprint, JSON.stringify(answer)]);
    return answer;
  }
}

/** Drops answers that are kept long enough. */
export async function dropOldAnswers(reader: Reader): Promise<void> {
  await reader.rows(PURGE, []);
}
