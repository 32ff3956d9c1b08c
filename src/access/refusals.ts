import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Reader } from '../listing/reader.ts';

/** What was refused, as far as refusals that agree in it are told together. */
interface Refused {
  operacao: 'login_recusado' | 'acesso_recusado';
  /** User name that was tried. It may be a password in the wrong place, so only whose it is gets stored. */
  usuario?: string;
  idPessoa?: number;
  idSistema?: number;
  endereco?: string;
  /** Query or mutation. */
  acao?: string;
}

/** Refusals that are alike: since when, how often, and in which request the first time. */
interface Told extends Refused {
  since: number;
  vezes: number;
  requisicao: string | null;
}

/** How often what was refused is written. */
export const REFUSALS_MS = 60_000;
/** Most rows at a time. What is refused beyond is counted, without who and what, so that nobody can fill the disk. */
const MOST_ROWS = 200;

const WRITE = `
insert into auditoria (momento, operacao, vezes, id_pessoa, id_sistema, endereco, requisicao, acao, tabela, id_registro, alteracoes)
select clock_timestamp() - make_interval(secs => r.age), r.operacao, r.vezes, r."idPessoa", r."idSistema", r.endereco,
  r.requisicao, r.acao, case when p.id is not null then 'pessoa' end, p.id, '{}'
from jsonb_to_recordset($1::jsonb) as r (age float8, operacao text, vezes int, "idPessoa" int, "idSistema" int,
  endereco text, requisicao text, acao text, usuario text)
left join pessoa p on p.usuario = r.usuario
order by r.age desc`;

/**
 * Failed logins and refused operations, for the audit trail. They are gathered in memory and written now and then, so
 * that no refusal waits for the database; a process that is killed loses those of its last minute.
 */
export class Refusals {
  #told = new Map<string, Told>();
  #written: Promise<void> = Promise.resolve();

  constructor(private readonly reader: Reader) {}

  login(context: Context, usuario: string): void {
    const { address: endereco, requestId } = context;
    this.#add({ operacao: 'login_recusado', usuario, endereco }, requestId);
  }

  /** Tells that the caller may not use a query or mutation, if that is what the error says. */
  async operation(context: Context, acao: string, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') return;
    const { idPessoa, idSistema } = await context.session();
    const { address: endereco, requestId } = context;
    this.#add({ operacao: 'acesso_recusado', idPessoa, idSistema, endereco, acao }, requestId);
  }

  /**
   * Writes what was refused since the last time; what another call is writing is written, too, when this one ends.
   * What could not be written is kept for the next.
   */
  write(): Promise<void> {
    return (this.#written = this.#written.catch(() => undefined).then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const told = [...this.#told.values()];
    if (told.length === 0) return;
    this.#told = new Map();
    const rows = told.map(({ since, ...one }) => ({ ...one, age: (performance.now() - since) / 1000 }));
    try {
      await this.reader.rows(WRITE, [JSON.stringify(rows)]);
    } catch (error) {
      for (const { requisicao, since, vezes, ...refused } of told)
        this.#add(refused, requisicao, since, vezes);
      throw error;
    }
  }

  #add(refused: Refused, requisicao: string | null, since = performance.now(), vezes = 1): void {
    const key = JSON.stringify(refused);
    const known = this.#told.get(key);
    if (known) known.vezes += vezes;
    else if (this.#told.size < MOST_ROWS) this.#told.set(key, { ...refused, requisicao, since, vezes });
    else this.#addToRest({ operacao: refused.operacao }, since, vezes);
  }

  #addToRest(rest: Refused, since: number, vezes: number): void {
    const key = JSON.stringify(rest);
    const known = this.#told.get(key);
    if (known) known.vezes += vezes;
    else this.#told.set(key, { ...rest, requisicao: null, since, vezes });
  }
}
