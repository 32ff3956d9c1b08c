import type { EntityManager } from '@mikro-orm/postgresql';
import type { GraphQLResolveInfo } from 'graphql';
import { digest } from '../access/secrets.ts';
import { AppError, conflict } from '../errors.ts';
import { selectionOf } from '../listing/selection.ts';
import { transactionReader, type Reader } from '../listing/reader.ts';
import { messages } from '../messages.ts';

/** How long an answer is kept for its key. */
const KEPT = `interval '24 hours'`;

const ANSWER = `select resumo, resposta from idempotencia
where id_pessoa = $1 and chave = $2 and campo = $3 and criado_em > now() - ${KEPT}`;

/** Held to the end of the transaction, by its crash too; whoever comes meanwhile does not wait. */
const CLAIM = `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 0)) as free`;

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
  readonly #row: [idPessoa: number, chave: string, campo: string];
  /** Of the field with all it was given and asked for: the same key with another request is a mistake. */
  readonly #fingerprint: Buffer;

  constructor(idPessoa: number, key: string, info: GraphQLResolveInfo, args: unknown) {
    // Of several mutations in one request each has its own answer.
    const alone = info.operation.selectionSet.selections.length === 1;
    this.#row = [idPessoa, key, alone ? '' : String(info.path.key)];
    this.#fingerprint = digest(JSON.stringify([info.fieldName, args, selectionOf(info)]));
  }

  /** What the mutation answered before, if it did. @throws VALIDATION_FAILED when the key was another request's */
  async given(reader: Reader): Promise<Given | undefined> {
    const [row] = await reader.rows(ANSWER, this.#row);
    if (!row) return undefined;
    const [fingerprint, answer] = row as [Buffer, unknown];
    if (!this.#fingerprint.equals(fingerprint))
      throw new AppError('VALIDATION_FAILED', { detail: messages.otherRequest });
    return { answer };
  }

  /** Does the work inside its transaction and keeps its answer. @throws CONFLICT while the first one still runs */
  async run<T>(em: EntityManager, work: () => Promise<T>): Promise<T> {
    const reader = transactionReader(em);
    const [[free]] = (await reader.rows(CLAIM, this.#row)) as [[boolean]];
    if (!free) throw conflict(messages.stillRunning);
    const given = await this.given(reader);
    if (given) return given.answer as T;
    const answer = await work();
    await reader.rows(KEEP, [...this.#row, this.#fingerprint, JSON.stringify(answer)]);
    return answer;
  }
}

/** Drops answers that are kept long enough. */
export async function dropOldAnswers(reader: Reader): Promise<void> {
  await reader.rows(PURGE, []);
}
