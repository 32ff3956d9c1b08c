import { Client as Connection } from 'pg';
import { describe, expect, it } from 'vitest';
import { area, makeCaller, makeWorld } from './support/administration.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();

describe('a change that waits for its turn', () => {
  it('is refused if the right to it is taken away meanwhile', async () => {
    const admin = await service().as('admin');
    const { client, idPermissao } = await makeCaller(service());
    const { idPessoa, vazio } = await makeWorld(service());
    const waiting = async (count: number) =>
      eventually(async () => {
        const sql = `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect((await service().sql(sql))[0]![0]).toBe(count);
      });
    const connection = new Connection({ connectionString: service().databaseUrl });
    await connection.connect();
    await connection.query('begin');
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
});
