import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  issueKey,
  keysOf,
  logInThrough,
  makeKey,
  makeSystem,
  revokeKey,
  type System,
} from './support/api-keys.ts';
import type { Client } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService();
let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

describe('the last use of a key', () => {
  const changes = async (id: number) =>
    (await service().sql(`select 1 from auditoria where tabela = 'chave_api' and id_registro = $1`, [id]))
      .length;

  it('is noted once a minute, and leaves nothing in the audit trail', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    const used = async () => (await keysOf(service(), system))[0]!.ultimoUso;
    expect(await used()).toBeNull();
    await logInThrough(service(), system, chave);
    const first = await used();
    expect(first).toMatch(/Z$/);
    await logInThrough(service(), system, chave);
    expect(await used()).toBe(first);
    await service().sql(`update chave_api set ultimo_uso = now() - interval '61 seconds' where id = $1`, [
      id,
    ]);
    const earlier = await used();
    await logInThrough(service(), system, chave);
    expect(Date.parse((await used())!)).toBeGreaterThan(Date.parse(earlier!));
    expect(await changes(id)).toBe(1);
  });

  it('is not noted for a refused key', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    await revokeKey(admin, id);
    await logInThrough(service(), system, chave);
    expect(await keysOf(service(), system)).toMatchObject([{ id, ultimoUso: null }]);
  });
});

describe('a request for an API key that is sent again with its Idempotency-Key', () => {
  const kept = (key: string) => service().sql('select resposta from idempotencia where chave = $1', [key]);

  it('gets another API key, and no answer is stored', async () => {
    const system = await makeSystem(service());
    const key = randomUUID();
    const client = admin.with({ 'idempotency-key': key });
    const answers = [await issueKey(client, system), await issueKey(client, system)];
    const [one, two] = answers.map(({ data }) => data.emitirChaveApi.chave as string);
    expect(one).not.toBe(two);
    expect([
      await logInThrough(service(), system, one!),
      await logInThrough(service(), system, two!),
    ]).toEqual([200, 200]);
    expect(await kept(key)).toEqual([]);
  });

  it('is not stored, even together with a mutation that is', async () => {
    const system = await makeSystem(service());
    const { id } = await makeKey(service(), system);
    const key = randomUUID();
    const client = admin.with({ 'idempotency-key': key });
    const query = `mutation { revogarChaveApi(id: ${id}) { id } emitirChaveApi(idSistema: ${system.id}) { chave } }`;
    const { data } = await client.graphql(query);
    expect(await logInThrough(service(), system, data.emitirChaveApi.chave)).toBe(200);
    expect(JSON.stringify(await kept(key))).not.toContain(data.emitirChaveApi.chave);
    expect(await kept(key)).toHaveLength(1);
  });
});

describe('the list of systems that may call', () => {
  const path = '/permissoes/parametros-acesso-api';
  const rowOf = async ({ id }: System) =>
    (await admin.get(path)).body.data.find((row: System) => row.id === id);

  it('has each system with a live key: its name, version, state and last use', async () => {
    const system = await makeSystem(service());
    expect(await rowOf(system)).toBeUndefined();
    const { id, chave } = await makeKey(service(), system);
    expect(await rowOf(system)).toMatchObject({
      sigla: system.sigla,
      situacao: 'A',
      versao: null,
      ultimo_uso: null,
    });
    await logInThrough(service(), system, chave, '1.9');
    await logInThrough(service(), system, chave, '2.0');
    const row = { nome: `Sistema ${system.sigla}`, versao: '2.0', ultimo_uso: expect.stringMatching(/Z$/) };
    expect(await rowOf(system)).toMatchObject(row);
    await service().sql(`update sistema set situacao = 'I' where id = $1`, [system.id]);
    expect(await rowOf(system)).toMatchObject({ situacao: 'I' });
    await revokeKey(admin, id);
    expect(await rowOf(system)).toBeUndefined();
  });
});
