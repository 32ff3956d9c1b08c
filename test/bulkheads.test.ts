import { randomUUID } from 'node:crypto';
import { Client as Connection } from 'pg';
import { describe, expect, it } from 'vitest';
import { everything, makeCaller, makeWorld } from './support/administration.ts';
import { sharedLock } from '../src/database/locks.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { demoPassword } from '../src/demo/login.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { atOnce } from './support/pair.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, stockAt } from './support/stock.ts';

/** The lock is held for longer than the others need, however slow the machine is. */
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });

const materials = '/almoxarifadoquimicos/materiais';
const icons = '/almoxarifadoquimicos/icones-risco';

/** Does the work while a transaction on a connection of its own holds what the statement locks. */
async function whileLocked(
  lock: string,
  values: unknown[],
  work: () => Promise<void>,
  { databaseUrl } = service(),
): Promise<void> {
  const other = new Connection({ connectionString: databaseUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(lock, values);
    await work();
    await other.query('rollback');
  } finally {
    await other.end();
  }
}

/** How many statements wait for a lock that another transaction holds. */
async function lockWaits(): Promise<number> {
  const [[count]] = (await service().sql(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )) as [[number]];
  return count;
}

/** Requests that are on their way, and how many of them were answered. */
function sent(count: number, send: (turn: number) => Promise<Answer>) {
  const tally = { answered: 0 };
  const answers = atOnce(count, async turn => {
    const answer = await send(turn);
    tally.answered += 1;
    return answer;
  });
  // If the test fails before it reads the answers, the service stops during the requests.
  answers.catch(() => undefined);
  return { tally, answers };
}

const withdrawal = (id_lote: number, place: number) => ({
  id_lote,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: place,
  quantidade: 1,
  fl_estorno: 'N',
});

const logIn = (username: string, at = service()): Promise<Answer> =>
  at.anyone.with(systemHeaders).post('/auth/login', { username, password: demoPassword(username) });

/** What other people do meanwhile: the statuses of their answers. */
async function others(rounds: number): Promise<number[]> {
  const [admin, almoxarife] = await Promise.all([service().as('admin'), service().as('almoxarife')]);
  const material = await makeMaterial(service());
  const requests = [
    () => admin.get(`${materials}?pagination=true&titulo=${randomUUID().slice(0, 3)}`),
    () => admin.get(`${materials}/${material.id}`),
    () => admin.post('/graphql', { query: '{ unidadesMedida { total data { id } } }' }),
    () => almoxarife.post(icons, { nome: 'Ícone' }),
    () => admin.post('/graphql', { query: 'mutation { criarIconeRisco(input: { nome: "Í" }) { id } }' }),
  ];
  const answers = await atOnce(rounds * requests.length, turn => requests[turn % requests.length]!());
  return answers.map(({ status }) => status);
}

const expectDone = (statuses: readonly number[]): void =>
  expect(statuses.filter(status => status >= 300)).toEqual([]);

describe('while 300 people wait for one cell of stock that is locked', () => {
  it('others can log in, read and move stock, and no acknowledged movement is lost', async () => {
    const elsewhere = (await makePlace(service())).id;
    const [bottle, other] = await Promise.all([
      makeBatch(service(), { quantidade: 250 }),
      makeBatch(service(), { quantidade: 100 }),
    ]);
    const transfer = { ...withdrawal(bottle.id, bottle.id_local), id_local_destino_fim: elsewhere };
    await moved(service(), { ...transfer, id_tipo_movimentacao: 3, quantidade: 100 });
    const almoxarife = await service().as('almoxarife');
    const take = (idLote: number, place: number): Promise<Answer> =>
      almoxarife.post(paths.movements, { movimentacoes: [withdrawal(idLote, place)] });
    let waiting: ReturnType<typeof sent> | undefined;
    await whileLocked(
      'select from estoque where id_lote = $1 and id_local_fim = $2 for update',
      [bottle.id, bottle.id_local],
      async () => {
        waiting = sent(300, () => take(bottle.id, bottle.id_local));
        await eventually(async () => expect(await lockWaits()).toBe(2));
        const statuses = await Promise.all([
          others(20),
          ...['admin', 'tecnico', 'docente', 'discente'].map(user => logIn(user).then(it => [it.status])),
          atOnce(30, () => take(other.id, other.id_local).then(it => it.status)),
          atOnce(30, () => take(bottle.id, elsewhere).then(it => it.status)),
        ]);
        expectDone(statuses.flat());
        expect(await lockWaits()).toBeLessThanOrEqual(2);
        expect(waiting.tally.answered).toBeLessThan(200);
      },
    );
    const answers = await waiting!.answers;
    const done = answers.filter(({ status }) => status === 201).length;
    for (const { status, headers, body } of answers)
      if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      else expect([201, 409], JSON.stringify(body)).toContain(status);
    expect(done).toBeGreaterThan(0);
    expect(await stockAt(service(), bottle.id, bottle.id_local)).toBe(150 - done);
    expect(await stockAt(service(), bottle.id, elsewhere)).toBe(70);
    expect(await movementsOf(service(), other.id)).toHaveLength(31);
    await expectBalanced(service());
  });

  it('movements of several cells in opposite orders do not wait for each other', async () => {
    const elsewhere = (await makePlace(service())).id;
    const batches = await atOnce(3, () => makeBatch(service()));
    for (const { id, id_local } of batches)
      await moved(service(), {
        ...withdrawal(id, id_local),
        id_tipo_movimentacao: 3,
        id_local_destino_fim: elsewhere,
        quantidade: 50,
      });
    const almoxarife = await service().as('almoxarife');
    const there = batches.flatMap(({ id, id_local }) => [
      withdrawal(id, id_local),
      withdrawal(id, elsewhere),
    ]);
    const answers = await atOnce(40, turn =>
      almoxarife.post(paths.movements, { movimentacoes: turn % 2 ? there : there.toReversed() }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await expectBalanced(service());
  });
});

describe('while 100 people wait for a list that cannot be read', () => {
  it('others can write and log in', async () => {
    const [admin, almoxarife] = await Promise.all([service().as('admin'), service().as('almoxarife')]);
    let isOver = false;
    let reading: Promise<void[]> | undefined;
    await whileLocked('lock table unidade_medida', [], async () => {
      reading = atOnce(100, async () => {
        while (!isOver)
          expect([200, 503]).toContain((await admin.get('/almoxarifadoquimicos/unidades-medida')).status);
      });
      await eventually(async () => expect(await lockWaits()).toBe(7));
      const statuses = await Promise.all([
        atOnce(20, () => almoxarife.post(icons, { nome: 'Ícone' }).then(it => it.status)),
        ...['admin', 'tecnico', 'docente', 'discente'].map(user => logIn(user).then(it => [it.status])),
      ]).finally(() => (isOver = true));
      expectDone(statuses.flat());
    });
    await reading;
  });
});

describe('while more people read than may wait', () => {
  const small = useService({
    DATABASE_POOL: '2',
    MAX_REQUESTS_PER_PERSON: '1000',
    STATEMENT_TIMEOUT_MS: '120000',
  });

  it('the last ones are refused on both faces, and others write and log in', async () => {
    const admin = await small().as('admin');
    const query = '{ unidadesMedida(pagination: true, itemsPerPage: 1) { data { id } } }';
    const ask = (turn: number): Promise<Answer> =>
      turn % 2
        ? admin.get('/almoxarifadoquimicos/unidades-medida?pagination=true&itemsPerPage=1')
        : admin.post('/graphql', { query });
    let first: ReturnType<typeof sent> | undefined;
    let last: ReturnType<typeof sent> | undefined;
    await whileLocked(
      'lock table unidade_medida',
      [],
      async () => {
        // One reads, and a hundred may wait.
        first = sent(21, ask);
        await eventually(async () => expect(small().services.readLane.waiting).toBe(20));
        last = sent(130, ask);
        let most = 0;
        // Of 151, fifty are refused: at once, or on a busy machine after they have waited as long as they may.
        await eventually(async () => {
          most = Math.max(most, small().services.readLane.waiting);
          expect(first!.tally.answered + last!.tally.answered).toBeGreaterThanOrEqual(50);
        });
        expect(most).toBeLessThanOrEqual(100);
        const statuses = await Promise.all([
          atOnce(5, () => admin.post(icons, { nome: 'Ícone' }).then(it => it.status)),
          ...['admin', 'tecnico', 'docente'].map(user => logIn(user, small()).then(it => [it.status])),
        ]);
        expectDone(statuses.flat());
      },
      small(),
    );
    const refusalsOf = (answers: Answer[]) =>
      answers.flatMap(({ status, headers, body }) => {
        const { extensions } = body.errors?.[0] ?? {};
        if (extensions) return [[extensions.code, Number(extensions.retryAfter)]];
        return status === 503 ? [[body.code, Number(headers.get('retry-after'))]] : [];
      });
    const refused = refusalsOf([...(await first!.answers), ...(await last!.answers)]);
    expect(refused.length).toBeGreaterThanOrEqual(50);
    for (const [code, retryAfter] of refused) {
      expect(code).toBe('UNAVAILABLE');
      expect(retryAfter).toBeGreaterThan(0);
    }
    expect((await ask(0)).body.data.unidadesMedida.data).toHaveLength(1);
    expect((await ask(1)).status).toBe(200);
  });
});

/** What many wait for: what is locked, and a request that needs it. */
interface Held {
  lock: string;
  values: unknown[];
  send: (turn: number) => Promise<Answer>;
}

const held: Record<string, () => Promise<Held>> = {
  'a record': async () => {
    const admin = await service().as('admin');
    const { id } = (await admin.post(icons, { nome: 'Ícone' })).body;
    return {
      lock: 'select from icone_risco where id = $1 for update',
      values: [id],
      send: turn => admin.put(`${icons}/${id}`, { nome: `Ícone ${turn}` }),
    };
  },
  'a batch of many cells': async () => {
    const { id } = await makeBatch(service());
    const almoxarife = await service().as('almoxarife');
    const places = await atOnce(6, () => makePlace(service()));
    return {
      lock: 'select from lote where id = $1 for update',
      values: [id],
      send: turn =>
        almoxarife.post(paths.movements, {
          movimentacoes: [
            {
              id_lote: id,
              id_tipo_movimentacao: 2,
              id_local_destino_fim: places[turn % places.length]!.id,
              quantidade: 1,
              fl_estorno: 'N',
            },
          ],
        }),
    };
  },
  'a record that many new ones refer to': async () => {
    const { id } = await makePlace(service());
    const admin = await service().as('admin');
    const template = await makeBatch(service());
    const { id_material, id_fabricante } = template;
    const body = { id_material, id_fabricante, quantidade: 1, id_local: id };
    return {
      lock: 'select from local where id = $1 for update',
      values: [id],
      send: turn => admin.post(paths.batches, { ...body, cod_lote: `L ${turn}`, data_venc: '2031-05-31' }),
    };
  },
  'an approval request': async () => {
    const batch = await makeBatch(service(), { controlado: true });
    const [movement] = await movementsOf(service(), batch.id);
    const admin = await service().as('admin');
    return {
      lock: 'select from movimentacao where id = $1 for update',
      values: [movement.id],
      send: () => admin.post(paths.approvals, { id_movimentacao: movement.id }),
    };
  },
  'the cell of many approvals': async () => {
    const batch = await makeBatch(service(), { controlado: true });
    const [first] = await movementsOf(service(), batch.id);
    const admin = await service().as('admin');
    await admin.post(paths.approvals, { id_movimentacao: first.id });
    const pending = await moved(
      service(),
      ...Array.from({ length: 30 }, () => withdrawal(batch.id, batch.id_local)),
    );
    return {
      lock: 'select from estoque where id_lote = $1 for update',
      values: [batch.id],
      send: turn => admin.post(paths.approvals, { id_movimentacao: pending[turn].id }),
    };
  },
  'the lock of the administration': async () => {
    const admin = await service().as('admin');
    const { idPessoa, vazio, idSistema } = await makeWorld(service());
    return {
      lock: `select ${sharedLock('administration', `''`)}`,
      values: [],
      send: turn =>
        turn % 2
          ? admin.post('/permissoes/permissoes', { id_pessoa: idPessoa, id_perfil: vazio })
          : admin.post('/permissoes/perfis', { nome: `Perfil ${turn}`, id_sistema: idSistema }),
    };
  },
  'a person who logs in': async () => ({
    lock: `select from pessoa where usuario = 'docente' for update`,
    values: [],
    send: () => logIn('docente'),
  }),
  'a key of a calling system': async () => {
    await service().sql('update chave_api set ultimo_uso = null');
    return {
      lock: 'select from chave_api for update',
      values: [],
      send: turn => logIn(['tecnico', 'docente'][turn % 2]!),
    };
  },
  'the count of failed logins of a user': async () => {
    await logIn('docente');
    return {
      lock: 'lock table tentativa_senha in share mode',
      values: [],
      send: () => logIn('docente'),
    };
  },
  'sessions that end': async () => {
    const { idPessoa } = await makeCaller(service(), everything);
    const [row] = await service().sql('select id from sessao where id_pessoa = $1', [idPessoa]);
    const admin = await service().as('admin');
    return {
      lock: 'select from sessao where id = $1 for update',
      values: [row![0]],
      send: () =>
        admin.post('/graphql', { query: `mutation { encerrarSessao(id: ${row![0] as number}) { id } }` }),
    };
  },
};

/** Nothing waits inside the database for these. */
const UNLOCKED: ReadonlySet<string> = new Set(['a key of a calling system', 'a person who logs in']);

it('while an import holds the rows of many people, they wait for it, and others log in at once', async () => {
  const held = ['tecnico', 'docente', 'almoxarife', 'discente'];
  let waiting: ReturnType<typeof sent> | undefined;
  await whileLocked('select from pessoa where usuario = any($1) for no key update', [held], async () => {
    waiting = sent(held.length, turn => logIn(held[turn]!));
    const begun = `select count(*)::int from tentativa_senha where estado = 'em_curso'`;
    await eventually(async () => expect(await service().sql(begun)).toEqual([[held.length]]));
    expect((await logIn('admin')).status).toBe(200);
    expect(waiting.tally.answered).toBe(0);
  });
  for (const { status } of await waiting!.answers) expect(status).toBe(200);
});

describe('while 30 wait for', () => {
  it.each(Object.keys(held))('%s, others read and write', async name => {
    const { lock, values, send } = await held[name]!();
    let waiting: ReturnType<typeof sent> | undefined;
    await whileLocked(lock, values, async () => {
      waiting = sent(30, send);
      if (!UNLOCKED.has(name)) await eventually(async () => expect(await lockWaits()).toBeGreaterThan(0));
      expectDone(await others(6));
    });
    for (const { status } of await waiting!.answers) expect([200, 201, 409, 429, 503]).toContain(status);
  });
});
