import { AppError } from '../errors.ts';
import type { Reader } from '../database/reader.ts';

/** What is known of whoever was refused. */
export interface Caller {
  address: string;
  requestId: string;
  session: () => Promise<{ idPessoa: number; idSistema: number }>;
}

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

/** How often refusals that are alike happened. */
interface Tally {
  /** Whose slot they take: that of a known person, or one of those for strangers. */
  owner: number;
  since: number;
  vezes: number;
  /** The request of the first one. */
  requisicao: string | null;
}
type Told = Refused & Tally;

/** How often what was refused is written. */
export const REFUSALS_MS = 60_000;
/** Stands for everybody who is not known. */
const STRANGERS = 0;
/**
 * Most rows at a time, so that nobody can fill the disk: of all strangers together, of one known person, and how many
 * known people have rows. What is refused beyond is counted, without its details.
 */
const MOST = { strangers: 200, person: 20, people: 2_000 };

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
  /** How many slots each owner has taken. */
  #slots = new Map<number, number>();
  #written: Promise<void> = Promise.resolve();

  constructor(private readonly reader: Reader) {}

  /** Tells of a failed login: as whom, and who that is if anybody. */
  login(caller: Caller, usuario: string, idPessoa?: number): void {
    const { address: endereco, requestId } = caller;
    this.#add({ operacao: 'login_recusado', usuario, endereco }, once(idPessoa ?? STRANGERS, requestId));
  }

  /** Tells of a login that was not looked at, since too many had failed. Those are counted, not listed. */
  limited(): void {
    this.#count({ operacao: 'login_recusado' }, once(STRANGERS, null));
  }

  /** Tells that the caller may not use a query or mutation, if that is what the error says. */
  async operation(caller: Caller, acao: string, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') return;
    const { idPessoa, idSistema } = await caller.session();
    const { address: endereco, requestId } = caller;
    this.#add(
      { operacao: 'acesso_recusado', idPessoa, idSistema, endereco, acao },
      once(idPessoa, requestId),
    );
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
    this.#slots = new Map();
    const rows = told.map(({ since, ...one }) => ({
      ...one,
      age: (performance.now() - since) / 1000,
    }));
    try {
      await this.reader.rows(WRITE, [JSON.stringify(rows)]);
    } catch (error) {
      for (const { owner, requisicao, since, vezes, ...refused } of told)
        this.#add(refused, { owner, requisicao, since, vezes });
      throw error;
    }
  }

  /** Tells it in a slot of its owner; where none is left, without its details. */
  #add(refused: Refused, tally: Tally): void {
    const { owner } = tally;
    const { operacao, usuario, idPessoa } = refused;
    if (this.#told.has(JSON.stringify(refused)) || this.#takeSlot(owner)) this.#count(refused, tally);
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
    const known = this.#told.get(key);
    if (known) known.vezes += tally.vezes;
    else this.#told.set(key, { ...refused, ...tally });
  }
}

const once = (owner: number, requisicao: string | null): Tally => ({
  owner,
  requisicao,
  since: performance.now(),
  vezes: 1,
});
