import { Client as Connection } from 'pg';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../src/database/locks.ts';
import { area, bodies, hold, makeCaller, makeWorld, setSituacao } from './support/administration.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();

/** Waits until this many transactions wait for a lock. */
const waiting = async (count: number) =>
  eventually(async () => {
    const sql = `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await service().sql(sql))[0]![0]).toBe(count);
  });

/** A connection of its own, in a transaction. */
async function begun(): Promise<Connection> {
  const connection = new Connection({ connectionString: service().databaseUrl });
  await connection.connect();
  await connection.query('begin');
  return connection;
}

/** A transaction that changes permissions, so that all others wait. */
async function turnTaken(): Promise<Connection> {
  const connection = await begun();
  const rows = async (text: string, values: readonly unknown[]): Promise<unknown[][]> =>
    (await connection.query({ text, values: [...values], rowMode: 'array' })).rows;
  await takeLock({ rows }, 'administration');
  return connection;
}

describe('a change that waits for its turn', () => {
  it('is refused if the right to it is taken away meanwhile', async () => {
    const admin = await service().as('admin');
    const { client, idPermissao } = await makeCaller(service());
    const { idPessoa, vazio } = await makeWorld(service());
    const connection = await begun();
    await connection.query('select from permissao where id = $1 for update', [idPermissao]);
    const taking = admin.delete(`${area}/permissoes/${idPermissao}`);
    await waiting(1);
    const granting = client.post(`${area}/permissoes`, { id_pessoa: idPessoa, id_perfil: vazio });
    await waiting(2);
    await connection.end();
    expect((await taking).status).toBe(200);
    expectProblem(await granting, 403, 'FORBIDDEN');
  });

  it('succeeds, with many others on the same profile', async () => {
    const admin = await service().as('admin');
    const { idPerfil, idSistema } = await makeWorld(service());
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => (await makeWorld(service())).idPessoa),
    );
    const answers = await Promise.all(
      people.flatMap(id_pessoa => [
        admin.post(`${area}/permissoes`, { id_pessoa, id_perfil: idPerfil }),
        admin.put(`${area}/perfis/${idPerfil}`, { nome: `Perfil ${id_pessoa}`, id_sistema: idSistema }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(people.flatMap(() => [201, 200]));
    const held = await admin.get(`${area}/permissoes?idPerfil=${idPerfil}`);
    expect(held.body.total).toBe(people.length);
  });

  it('is refused if another one has already given the same back meanwhile', async () => {
    const admin = await service().as('admin');
    const world = await makeWorld(service());
    const body = bodies.permission(world);
    const id = await hold(service(), world.idPessoa, world.idPerfil);
    await setSituacao(service(), 'permissao', id, 'I');
    await service().sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [world.idPessoa]);
    for (const [path, given] of [
      ['permissoes', body],
      ['acesso-ambiente', { id_pessoa: world.idPessoa }],
    ] as const) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post(`${area}/${path}`, given)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
      for (const answer of answers.filter(({ status }) => status === 409))
        expectProblem(answer, 409, 'DUPLICATE');
    }
  });

  it('does not take back what another one has given meanwhile', async () => {
    const admin = await service().as('admin');
    const world = await makeWorld(service());
    const body = bodies.permission(world);
    const id = await hold(service(), world.idPessoa, world.idPerfil);
    await setSituacao(service(), 'permissao', id, 'I');
    const connection = await turnTaken();
    const late = admin.post(`${area}/permissoes`, { ...body, situacao: 'I' });
    await waiting(1);
    await connection.query(`update permissao set situacao = 'A' where id = $1`, [id]);
    await connection.query('commit');
    await connection.end();
    expectProblem(await late, 409, 'DUPLICATE');
    expect(await service().sql('select situacao from permissao where id = $1', [id])).toEqual([['A']]);
  });
});
