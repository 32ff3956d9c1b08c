import { AppError } from '../errors.ts';
import type { Reader } from '../database/reader.ts';

/** What the audit trail records of a refused request. */
export interface RefusedRequest {
  address: string;
  requestId: string;
  session: () => Promise<{ idPessoa: number; idSistema: number }>;
}

/** What was refused. Refusals that agree in all of this share one row. */
interface Refused {
  operacao: 'login_recusado' | 'acesso_recusado';
  /**
   * User name of the attempt. It is not stored, because it may be a password typed into the wrong field. Only the id of
   * a known person is stored.
   */
  usuario?: string;
  idPessoa?: number;
  idSistema?: number;
  endereco?: string;
  /** Name of the query or mutation. */
  acao?: string;
}

/** How often equal refusals happened. */
interface Tally {
  /** Whose slot the row uses: that of a known person, or the common one of strangers. */
  owner: number;
  since: number;
  vezes: number;
  /** Id of the first such request. */
  requisicao: string | null;
}
type RefusalEntry = Refused & Tally;

/** Interval between writes, in milliseconds. */
export const REFUSALS_MS = 60_000;
/** Owner of all refusals whose person is not known. */
const STRANGERS = 0;
/**
 * Limits on the rows of one interval, so that nobody can fill the disk: rows of all strangers together, rows of one
 * known person, and known people with rows. Further refusals are counted without details.
 */
const MOST = { strangers: 200, person: 20, people: 2_000 };

/** A month of the trail is sealed two days after its end. So an entry must not be dated more than a day ago. */
const WRITE = `
insert into auditoria (momento, operacao, vezes, id_pessoa, id_sistema, endereco, requisicao, acao, tabela, id_registro, alteracoes)
select clock_timestamp() - make_interval(secs => least(r.age, 86400)), r.operacao, r.vezes, r."idPessoa", r."idSistema", r.endereco,
  r.requisicao, r.acao, case when p.id is not null then 'pessoa' end, p.id, '{}'
from jsonb_to_recordset($1::jsonb) as r (age float8, operacao text, vezes int, "idPessoa" int, "idSistema" int,
  endereco text, requisicao text, acao text, usuario text)
left join pessoa p on p.usuario = r.usuario
order by r.age desc`;

/**
 * Failed logins and refused operations, for the audit trail. They are collected in memory and written at intervals, so
 * that a refusal never waits for the database. A killed process loses at most one minute of them.
 */
export class Refusals {
  #entries = new Map<string, RefusalEntry>();
  /** Slots in use, by owner. */
  #slots = new Map<number, number>();
  #written: Promise<void> = Promise.resolve();

  constructor(private readonly reader: Reader) {}

  /** Counts a failed login with the user name, and with the id of that person if there is one. */
  login(request: RefusedRequest, usuario: string, idPessoa?: number): void {
    const { address: endereco, requestId } = request;
    this.#add({ operacao: 'login_recusado', usuario, endereco }, once(idPessoa ?? STRANGERS, requestId));
  }

  /** Counts a login that the throttle refused, without details. */
  limited(): void {
    this.#count({ operacao: 'login_recusado' }, once(STRANGERS, null));
  }

  /** Counts the refusal of a query or mutation, if the error says that the caller may not use it. */
  async operation(request: RefusedRequest, acao: string, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') return;
    const { idPessoa, idSistema } = await request.session();
    const { address: endereco, requestId } = request;
    this.#add(
      { operacao: 'acesso_recusado', idPessoa, idSistema, endereco, acao },
      once(idPessoa, requestId),
    );
  }

  /**
   * Writes what was collected since the last write, after any write that is running. Rows of a failed write are kept
   * for the next one.
   */
  write(): Promise<void> {
    return (this.#written = this.#written.catch(() => undefined).then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const entries = [...this.#entries.values()];
    if (entries.length === 0) return;
    this.#entries = new Map();
    this.#slots = new Map();
    const rows = entries.map(({ since, ...one }) => ({
      ...one,
      age: (performance.now() - since) / 1000,
    }));
    try {
      await this.reader.rows(WRITE, [JSON.stringify(rows)]);
    } catch (error) {
      for (const { owner, requisicao, since, vezes, ...refused } of entries)
        this.#add(refused, { owner, requisicao, since, vezes });
      throw error;
    }
  }

  /** Counts the refusal in a slot of its owner, or without details when no slot is free. */
  #add(refused: Refused, tally: Tally): void {
    const { owner } = tally;
    const { operacao, usuario, idPessoa } = refused;
    if (this.#entries.has(JSON.stringify(refused)) || this.#takeSlot(owner)) this.#count(refused, tally);
    else if (owner !== STRANGERS && this.#slots.has(owner))
      this.#count({ operacao, usuario, idPessoa }, { ...tally, requisicao: null });
    else this.#count({ operacao }, { ...tally, owner: STRANGERS, requisicao: null });
  }

  #takeSlot(owner: number): boolean {
    const taken = this.#slots.get(owner) ?? 0;
    const most = owner === STRANGERS ? MOST.strangers : MOST.person;
    if (taken >= most || (taken === 0 && this.#slots.size > MOST.people)) return false;
    this.#slots.set(owner, taken + 1);
    return true;
  }

  #count(refused: Refused, tally: Tally): void {
    const key = JSON.stringify(refused);
    const known = this.#entries.get(key);
    if (known) known.vezes += tally.vezes;
    else this.#entries.set(key, { ...refused, ...tally });
  }
}

const once = (owner: number, requisicao: string | null): Tally => ({
  owner,
  requisicao,
  since: performance.now(),
  vezes: 1,
});
