import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everything, makeCaller } from './support/administration.ts';
import { issueKey, logInThrough, makeKey, makeSystem, revokeKey, type System } from './support/api-keys.ts';
import type { Answer, Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const SYSTEMS = '/permissoes/sistemas';
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);

/** The service's own system, with the id of its only key. */
let own: System & { idChave: number };
let admin: Client;
beforeEach(async () => {
  const [row] = await sql(
    `select s.id, k.id from sistema s join chave_api k on k.id_sistema = s.id where s.sigla = 'SII' order by k.id limit 1`,
  );
  own = { id: row![0] as number, sigla: 'SII', idChave: row![1] as number };
  admin = await service().as('admin');
});
/** Leaves only the service's own key. */
async function restore(): Promise<void> {
  await sql(`update sistema set situacao = 'A'`);
  await sql('update chave_api set revogada_em = case when id = $1 then null else now() end', [own.idChave]);
}
afterEach(restore);

/** Another system, with one key, and an administrator who came through it. */
async function another() {
  const system = await makeSystem(service());
  const key = await makeKey(service(), system);
  const { client, idPessoa } = await makeCaller(service(), everything);
  await sql('update sessao set id_sistema = $1 where id_pessoa = $2', [system.id, idPessoa]);
  return { system, key, client };
}

const set = (client: Client, { id, sigla }: System, situacao: 'A' | 'I'): Promise<Answer> =>
  client.put(`${SYSTEMS}/${id}`, { nome: sigla, sigla, situacao });
const codeOf = async (revoked: ReturnType<typeof revokeKey>) => (await revoked).errors?.[0]!.extensions.code;

describe('the last way into the service', () => {
  it('remains if people of two systems revoke the keys of each other, one after the other', async () => {
    const { client, key, system } = await another();
    expect(await codeOf(revokeKey(admin, key.id))).toBeUndefined();
    expect(await logInThrough(service(), system, key.chave)).toBe(401);
    expect(await codeOf(revokeKey(client, own.idChave))).toBe('CONFLICT');
    expect(await logInThrough(service(), own, 'sii-demo-key')).toBe(200);
  });

  it('remains if they do it at once', async () => {
    for (let i = 0; i < 4; i++) {
      const { client, key } = await another();
      const codes = await Promise.all([
        codeOf(revokeKey(admin, key.id)),
        codeOf(revokeKey(client, own.idChave)),
      ]);
      expect(new Set(codes)).toEqual(new Set([undefined, 'CONFLICT']));
      await restore();
    }
  });

  it('remains if a key is revoked while another system is switched off', async () => {
    for (let i = 0; i < 4; i++) {
      const { client, system } = await another();
      const [switched, revoked] = await Promise.all([
        set(admin, system, 'I'),
        codeOf(revokeKey(client, own.idChave)),
      ]);
      // Whoever comes second is refused, or has no session any more.
      if (switched.status === 200) expect(['CONFLICT', 'UNAUTHENTICATED']).toContain(revoked);
      else expect([switched.status, revoked]).toEqual([409, undefined]);
      await restore();
    }
  });
});

describe('a key that expires', () => {
  const later = () => new Date(Date.now() + 86_400_000).toISOString();

  it('is no lasting way in, so the last key without expiry is not revoked, nor its system switched off', async () => {
    const { system, key, client } = await another();
    expect((await issueKey(admin, own, later())).errors).toBeUndefined();
    expect((await issueKey(admin, system, later())).errors).toBeUndefined();
    expect(await codeOf(revokeKey(client, own.idChave))).toBeUndefined();
    const { errors } = await revokeKey(admin, key.id);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('emitirChaveApi'),
      extensions: { code: 'CONFLICT' },
    });
    expectProblem(await set(admin, system, 'I'), 409, 'CONFLICT');
    expect(await logInThrough(service(), system, key.chave)).toBe(200);
  });

  it('leaves room for another lasting key, so that the only lasting one can be replaced after a leak', async () => {
    expect((await issueKey(admin, own, later())).errors).toBeUndefined();
    expect(await codeOf(revokeKey(admin, own.idChave))).toBe('CONFLICT');
    const { data, errors } = await issueKey(admin, own);
    expect(errors).toBeUndefined();
    // Two lasting keys are enough, and so are two live ones where the next would expire.
    for (const expiry of [undefined, later()])
      expect((await issueKey(admin, own, expiry)).errors![0]!.extensions.code).toBe('CONFLICT');
    try {
      expect(await codeOf(revokeKey(admin, own.idChave))).toBeUndefined();
      expect(await logInThrough(service(), own, 'sii-demo-key')).toBe(401);
      expect(await logInThrough(service(), own, data.emitirChaveApi.chave)).toBe(200);
    } finally {
      await restore();
    }
  });

  it('may be left alone where no key lasted before', async () => {
    const { system, key } = await another();
    const { data } = await issueKey(admin, system, later());
    await sql('update chave_api set expira_em = $1', [later()]);
    try {
      expect(await codeOf(revokeKey(admin, key.id))).toBeUndefined();
      expect(await codeOf(revokeKey(admin, data.emitirChaveApi.id))).toBeUndefined();
    } finally {
      await sql('update chave_api set expira_em = null where id = $1', [own.idChave]);
    }
  });
});

describe('the system through which somebody came', () => {
  it('is not switched off by them, whether or not there is another way in', async () => {
    const { client, system } = await another();
    expectProblem(await set(client, system, 'I'), 409, 'CONFLICT');
    expect(await codeOf(revokeKey(client, own.idChave))).toBeUndefined();
    expectProblem(await set(client, system, 'I'), 409, 'CONFLICT');
    expect((await client.get(SYSTEMS)).status).toBe(200);
  });

  it('may be switched off if nobody can log in through it anyway', async () => {
    const { client, key, system } = await another();
    await sql('update chave_api set expira_em = now() where id = $1', [key.id]);
    expect((await set(client, system, 'I')).status).toBe(200);
  });

  it('does not stop others from being switched off, or from losing their keys', async () => {
    const { key, system } = await another();
    expect(await codeOf(revokeKey(admin, key.id))).toBeUndefined();
    expect((await set(admin, system, 'I')).status).toBe(200);
  });
});

describe('a system that is switched off', () => {
  it('ends the sessions through it for good, and only those', async () => {
    const [one, other] = [await another(), await another()];
    expect((await set(admin, one.system, 'I')).status).toBe(200);
    expect((await one.client.get(SYSTEMS)).status).toBe(401);
    expect((await set(admin, one.system, 'A')).status).toBe(200);
    expect((await one.client.get(SYSTEMS)).status).toBe(401);
    expect((await other.client.get(SYSTEMS)).status).toBe(200);
    expect(await logInThrough(service(), one.system, one.key.chave)).toBe(200);
  });

  it('leaves no session that a login opened meanwhile', async () => {
    const { client, system } = await another();
    expect((await set(admin, system, 'I')).status).toBe(200);
    // What a login stores that had found the system before.
    await sql('update sessao set encerrada_em = null where id_sistema = $1', [system.id]);
    expect((await set(admin, system, 'A')).status).toBe(200);
    expect((await client.get(SYSTEMS)).status).toBe(401);
  });

  it('keeps its sessions when something else of it changes', async () => {
    const { client, system } = await another();
    const changed = await admin.put(`${SYSTEMS}/${system.id}`, { nome: 'Outro nome', sigla: system.sigla });
    expect(changed.status).toBe(200);
    expect((await client.get(SYSTEMS)).status).toBe(200);
  });
});
