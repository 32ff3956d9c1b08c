import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../src/access/signature.ts';
import { dropExpired } from '../src/domain/expiry.ts';
import { endLost } from '../src/imports/progress.ts';
import { WebhookDeliverer } from '../src/webhooks/deliverer.ts';
import { keysOf, logInThrough, makeKey, makeSystem } from './support/api-keys.ts';
import type { Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useReceiver, verified } from './support/receiver.ts';
import { useService } from './support/service.ts';

const service = useService({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: 'k'.repeat(32) });
const receiver = useReceiver();
const kinds = '/almoxarifadoquimicos/tipos-empresas';
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);
const sweep = (): Promise<void> => dropExpired(service().services.listing.reader);

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

/** Moves what is stored as if the clock of the database had been ahead then. */
const ahead = (by: string, table: string, columns: string[], condition: string, values: unknown[] = []) =>
  sql(
    `update ${table} set ${columns.map(column => `${column} = ${column} + interval '${by}'`).join(', ')} where ${condition}`,
    values,
  );

describe('after the clock of the database was ahead, what it gave then', () => {
  describe('a login', () => {
    const login = async (by: string): Promise<Client> => {
      const client = await service().anyone.login('admin');
      expect((await client.get(kinds)).status).toBe(200);
      const [[id]] = (await sql('select max(id) from sessao')) as [[number]];
      await ahead(by, 'sessao', ['criado_em', 'alterado_em', 'expira_em'], 'id = $1', [id]);
      return client;
    };

    it('is over, on both faces, for reading and for writing', async () => {
      const client = await login('8 days');
      expectProblem(await client.get(kinds), 401, 'UNAUTHENTICATED');
      expectProblem(await client.put(`${kinds}/1`, { descricao: 'Uma' }), 401, 'UNAUTHENTICATED');
      for (const query of ['{ tiposEmpresa { total } }', 'mutation { sair }'])
        expect((await client.graphql(query)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    });

    it('is not counted among those that end with their person', async () => {
      const { headers } = await service().anyone.login('tecnico');
      await service().anyone.login('tecnico');
      await ahead('8 days', 'sessao', ['criado_em', 'expira_em'], `token_hash = sha256($1::bytea)`, [
        headers['token'],
      ]);
      const [[id]] = (await sql(`select id from pessoa where usuario = 'tecnico'`)) as [[number]];
      const { status, body } = await admin.delete(`/permissoes/pessoas/${id}`);
      expect([status, body.sessoes]).toEqual([200, 1]);
    });

    it('holds when the clock was ahead by less than a minute', async () => {
      expect((await (await login('50 seconds')).get(kinds)).status).toBe(200);
    });
  });

  it('a signed address is over', async () => {
    const client = await service().anyone.login('admin');
    const path = '/almoxarifadoquimicos/materiais?export=true';
    const [[id, now]] = (await sql(
      'select max(id), floor(extract(epoch from now()))::float8 from sessao',
    )) as [[number, number]];
    const at = (moment: number) =>
      sign(path, client.headers['token']!, { idSessao: id, idChave: 0 }, moment).url;
    expect((await service().anyone.get(at(now + 30))).status).toBe(200);
    expectProblem(await service().anyone.get(at(now + 8 * 86_400)), 401, 'UNAUTHENTICATED');
  });

  it('a code for an account attaches it no more', async () => {
    const accounts = '/institucional/usuarios-ldap';
    const email = 'dep.quimica@universidade.example';
    const attach = async (by: string) => {
      const { body } = await admin.put(`${accounts}/${email}?gerarCodigoCvr=true`);
      await ahead(by, 'codigo_cvr', ['alterado_em', 'expira_em'], 'conta = $1', [email]);
      const person = (await sql(`select email from pessoa where usuario = 'discente'`))[0]![0] as string;
      return admin.put(`${accounts}/${person}?adicionarContaGerencialCvr=${email}`, { cvr: body.cvr });
    };
    const refused = await attach('400 days');
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual(['cvr']);
    expect((await attach('50 seconds')).status).toBe(200);
  });

  describe('the former secret of a webhook', () => {
    let deliverer: WebhookDeliverer;
    beforeAll(() => {
      deliverer = new WebhookDeliverer(service().services, {});
      deliverer.start();
    });
    afterAll(() => deliverer.stop());

    it('signs no more', async () => {
      const made = await admin.post('/institucional/webhooks', {
        url: receiver.at('/former'),
        eventos: ['lote.criado'],
      });
      const { id, segredo } = made.body as { id: number; segredo: string };
      const changed = await admin.post('/institucional/webhooks/trocar-segredo', { id });
      const sent = async (count: number) => {
        expect((await admin.post('/institucional/webhooks/testar', { id })).status).toBe(201);
        await eventually(() => expect(receiver.got('/former')).toHaveLength(count));
        return receiver.got('/former').at(-1)!;
      };
      verified(segredo, await sent(1));
      await ahead('400 days', 'webhook', ['segredo_trocado_em'], 'id = $1', [id]);
      await ahead('400 days', 'andamento_webhook', ['anterior_ate'], 'id_webhook = $1', [id]);
      const later = await sent(2);
      verified(changed.body.segredo, later);
      expect(() => verified(segredo, later)).toThrow('No matching signature');
    });
  });
});

describe('after the clock of the database was ahead', () => {
  it('the next use of a key is noted', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    await logInThrough(service(), system, chave);
    await ahead('400 days', 'chave_api', ['ultimo_uso'], 'id = $1', [id]);
    await logInThrough(service(), system, chave);
    const used = (await keysOf(service(), system))[0]!.ultimoUso;
    expect(Date.parse(used!)).toBeLessThan(Date.now() + 60_000);
  });

  it('a request of that time is done once however often it is sent, and its Idempotency-Key is free after a day', async () => {
    const key = randomUUID();
    const client = admin.with({ 'idempotency-key': key });
    const kind = (descricao: string) => ({ descricao, obriga_cnpj: 'N' });
    const first = await client.post(kinds, kind('once'));
    expect(first.status).toBe(201);
    await ahead('400 days', 'idempotencia', ['criado_em'], 'chave = $1', [key]);
    const again = async () => expect((await client.post(kinds, kind('once'))).body).toEqual(first.body);
    await again();
    await sweep();
    await again();
    expectProblem(await client.post(kinds, kind('other')), 422, 'VALIDATION_FAILED');
    await ahead('-24 hours -1 minute', 'idempotencia', ['criado_em'], 'chave = $1', [key]);
    expect((await client.post(kinds, kind('other'))).status).toBe(201);
  });

  it('an import whose process died then is ended', async () => {
    const [[id]] = (await sql(`insert into importacao (registros, nome_arquivo, situacao)
      values ('x', 'x.csv', 'em_andamento') returning id`)) as [[number]];
    await sql(
      `insert into andamento_importacao (id_importacao, visto_em) values ($1, now() + interval '400 days')`,
      [id],
    );
    await sweep();
    await ahead('-2 minutes', 'andamento_importacao', ['visto_em'], 'id_importacao = $1', [id]);
    await endLost(service().services.listing.reader, 'Perdeu-se.');
    expect((await admin.get(`/institucional/importacoes/${id}`)).body).toMatchObject({
      situacao: 'interrompida',
    });
  });

  it('what was announced then as an upload is kept for a day from now on, and no longer', async () => {
    const announced = async () => (await sql(`select from envio_arquivo where sha256 = 'ahead'`)).length;
    await sql(`insert into envio_arquivo (sha256, momento) values ('ahead', now() + interval '400 days')`);
    await sweep();
    expect(await announced()).toBe(1);
    await ahead('-25 hours', 'envio_arquivo', ['momento'], `sha256 = 'ahead'`);
    await sweep();
    expect(await announced()).toBe(0);
  });
});
