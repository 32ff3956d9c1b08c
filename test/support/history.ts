import { Client } from './client.ts';

/** The writes and reads of one session, and the contradictions among them. */
class Session {
  readonly #seen = new Map<string, number>();
  readonly contradictions: string[] = [];
  /** The counter that only this session increments, and the number of records that only this session has added. */
  counter = 0;
  added = 0;

  constructor(
    readonly name: string,
    readonly id: number,
    readonly headers: Record<string, string>,
  ) {}

  /** Records a value that must never decrease. `least`: the value that the session has written itself. */
  read(what: string, value: number, least = 0): void {
    const before = Math.max(this.#seen.get(what) ?? 0, least);
    if (value < before) this.contradictions.push(`${this.name} saw ${what} at ${value} after ${before}`);
    this.#seen.set(what, Math.max(value, before));
  }
}

const icons = '/almoxarifadoquimicos/icones-risco';

const COUNT = `query ($prefix: String!) {
  iconesRisco(filter: { nome: { startsWith: $prefix } }, pagination: true, itemsPerPage: 1000) { total data { id } }
}`;

/**
 * Sessions that write and read in turn, on several processes. Returns every read that was older than what its session
 * had written or seen before.
 */
export async function checkHistory(
  urls: readonly string[],
  logins: readonly Client[],
  turns: number,
): Promise<string[]> {
  const sessions = await Promise.all(
    logins.map(async (client, i) => {
      const name = `Sessão ${i} de ${performance.now()}`;
      const { body } = await client.post(icons, { nome: `${name}:`, descricao: '0' });
      const session = new Session(name, body.id as number, client.headers);
      session.added = 1;
      return session;
    }),
  );
  const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
  const by = ({ headers }: Session): Client => new Client(anyOf(urls), headers);
  const acts = {
    async write(session: Session) {
      const descricao = String(session.counter + 1);
      const { status, body } = await by(session).put(`${icons}/${session.id}`, {
        nome: `${session.name}:`,
        descricao,
      });
      if (status !== 200) throw new Error(`write: ${status} ${JSON.stringify(body)}`);
      session.counter += 1;
    },
    async add(session: Session) {
      const { status, body } = await by(session).post(icons, { nome: `${session.name}: ${session.added}` });
      if (status !== 201) throw new Error(`add: ${status} ${JSON.stringify(body)}`);
      session.added += 1;
    },
    async one(session: Session) {
      const other = anyOf([session, anyOf(sessions)]);
      const { status, body } = await by(session).get(`${icons}/${other.id}`);
      if (status !== 200) throw new Error(`read: ${status} ${JSON.stringify(body)}`);
      session.read(
        `the counter of ${other.name}`,
        Number(body.descricao),
        other === session ? session.counter : 0,
      );
    },
    async list(session: Session) {
      const other = anyOf([session, anyOf(sessions)]);
      const { data, errors } = await by(session).graphql(COUNT, { prefix: `${other.name}:` });
      if (errors) throw new Error(JSON.stringify(errors));
      const { total, data: rows } = data.iconesRisco as { total: number; data: unknown[] };
      session.read(`the records of ${other.name}`, rows.length, other === session ? session.added : 0);
      if (total !== rows.length)
        session.contradictions.push(`${session.name} saw ${rows.length} records and a total of ${total}`);
    },
  };
  await Promise.all(
    sessions.map(async session => {
      for (let turn = 0; turn < turns; turn++)
        await acts[anyOf(['write', 'add', 'one', 'one', 'one', 'list', 'list', 'list'] as const)](session);
    }),
  );
  return sessions.flatMap(({ contradictions }) => contradictions);
}
