import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cursorOf, positionOf } from '../src/changes/position.ts';
import { dropExpired } from '../src/domain/expiry.ts';
import { freePort } from '../src/embedded-postgres/settings.ts';
import type { Resolve } from '../src/webhooks/names.ts';
import { Networks } from '../src/webhooks/networks.ts';
import { WebhookDeliverer } from '../src/webhooks/deliverer.ts';
import type { Client } from './support/client.ts';
import { grant } from './support/permissions.ts';
import { eventually, project, Run } from './support/process.ts';
import { useReceiver, verified } from './support/receiver.ts';
import { startService, useService } from './support/service.ts';

const KEY = 'k'.repeat(32);
const service = useService({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: KEY });
const receiver = useReceiver();
const paths = { webhooks: '/institucional/webhooks', deliveries: '/institucional/entregas-webhook' };

/** What names lead to, each time that they are asked. */
const names = new Map<string, string[]>();
const resolve: Resolve = async name => {
  const addresses = names.get(name) ?? [];
  const address = addresses.length > 1 ? addresses.shift()! : addresses[0];
  if (!address) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return [{ address, family: address.includes(':') ? 6 : 4 }];
};

let admin: Client;
let deliverer: WebhookDeliverer;
beforeAll(async () => {
  admin = await service().as('admin');
  deliverer = new WebhookDeliverer(service().services, { resolve, exchangeMs: 500, afterFailureMs: 300 });
  deliverer.start();
});
afterAll(() => deliverer.stop());

interface Made {
  id: number;
  segredo: string;
}

/** A webhook of the administrator, or of another client. */
async function make(
  url: string,
  given: { eventos?: string[]; filtro?: object } = {},
  client = admin,
): Promise<Made> {
  const { status, body } = await client.post(paths.webhooks, { url, eventos: ['lote.criado'], ...given });
  expect([status, body]).toEqual([
    201,
    { id: expect.any(Number), segredo: expect.any(String), anterior_ate: null },
  ]);
  return body as Made;
}

/** The delivery of a test event, when it has ended. */
async function test({ id }: Pick<Made, 'id'>): Promise<any> {
  const { status, body } = await admin.post(`${paths.webhooks}/testar`, { id });
  expect(status, JSON.stringify(body)).toBe(201);
  deliverer.wake();
  return eventually(async () => {
    const delivery = await admin.get(`${paths.deliveries}/${body.id}`);
    if (delivery.body.situacao === 'pendente') throw new Error('not yet');
    return delivery.body;
  });
}

const state = async ({ id }: Pick<Made, 'id'>) => {
  const { situacao, motivo } = (await admin.get(`${paths.webhooks}/${id}`)).body;
  return { situacao, motivo };
};

describe('a message', () => {
  it('is signed with the secret that was shown once', async () => {
    const made = await make(receiver.at('/signed'));
    expect(made.segredo).toMatch(/^whsec_[\w+/]{43}=$/);
    const delivery = await test(made);
    expect(delivery).toMatchObject({
      situacao: 'entregue',
      tentativas: 1,
      status: 204,
      resposta: '',
      erro: null,
    });
    const [message] = receiver.got('/signed');
    expect(message!.headers).toMatchObject({
      'webhook-id': `msg_${delivery.mensagem}`,
      'content-type': 'application/json',
    });
    expect(verified(made.segredo, message!)).toEqual({
      type: 'webhook.teste',
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({ tipo: 'webhook.teste' }),
    });
    const other = await make(receiver.at('/signed'));
    expect(() => verified(other.segredo, message!)).toThrow('No matching signature');
  });

  it('is signed with both secrets while one is changed', async () => {
    const made = await make(receiver.at('/rotated'));
    const { status, body } = await admin.post(`${paths.webhooks}/trocar-segredo`, { id: made.id });
    expect([status, Date.parse(body.anterior_ate) > Date.now()]).toEqual([200, true]);
    await test(made);
    await service().sql(`update andamento_webhook set anterior_ate = now() where id_webhook = $1`, [made.id]);
    await test(made);
    const [both, one] = receiver.got('/rotated');
    for (const secret of [made.segredo, body.segredo]) verified(secret, both!);
    verified(body.segredo, one!);
    expect(() => verified(made.segredo, one!)).toThrow('No matching signature');
  });

  it('has its secret in no table, trail or answer', async () => {
    const { id, segredo } = await make(receiver.at('/quiet'));
    const raw = Buffer.from(segredo.slice('whsec_'.length), 'base64');
    const texts = JSON.stringify([
      (await admin.get(paths.webhooks)).body,
      await service().sql(`select a::text from auditoria a where tabela ~ 'webhook'`),
      await service().sql(`select p::text from andamento_webhook p where id_webhook = $1`, [id]),
    ]);
    expect(texts).toContain('"url"');
    for (const form of [segredo, segredo.slice(6), raw.toString('hex'), Buffer.from(segredo).toString('hex')])
      expect(texts).not.toContain(form);
  });

  it('is listed with its outcome', async () => {
    const made = await make(receiver.at('/listed'));
    const delivery = await test(made);
    const list = async (filter: string): Promise<unknown[]> =>
      (await admin.get(`${paths.deliveries}?idWebhook=${made.id}&${filter}`)).body.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await list('situacao=entregue&tabela=webhook&evento=webhook.teste')).toEqual([delivery.id]);
    expect(await list('situacao=pendente')).toEqual([]);
    expect(await list(`idRegistro=${made.id}`)).toEqual([delivery.id]);
  });

  it('is sent after the database failed', async () => {
    const made = await make(receiver.at('/after-failure'));
    const warned = vi.spyOn(service().services.log, 'warn');
    await service().sql('alter table entrega_webhook rename to entrega_webhook_away');
    try {
      deliverer.wake();
      await eventually(() =>
        expect(warned).toHaveBeenCalledWith(expect.anything(), 'webhook deliveries interrupted'),
      );
      // In the pause after the failure.
      deliverer.wake();
    } finally {
      await service().sql('alter table entrega_webhook_away rename to entrega_webhook');
    }
    expect(await test(made)).toMatchObject({ situacao: 'entregue', status: 204 });
  });

  it('for a test waits for no event', async () => {
    const made = await make(receiver.at('/behind'));
    receiver.answers('/behind', (res, { body }) =>
      res.writeHead(JSON.parse(body).type === 'webhook.teste' ? 204 : 500).end(),
    );
    await service().sql(
      `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
       select id, 'webhook.lacuna', 'webhook', id, '{}' from webhook where id = $1`,
      [made.id],
    );
    expect(await test(made)).toMatchObject({ situacao: 'entregue' });
    expect((await admin.post(`${paths.webhooks}/pausar`, { id: made.id })).status).toBe(200);
    expect(await test(made)).toMatchObject({ situacao: 'entregue' });
  });

  it('is sent again with the same webhook-id', async () => {
    const made = await make(receiver.at('/again'));
    const { id } = await test(made);
    await admin.post(`${paths.deliveries}/reenviar`, { id });
    deliverer.wake();
    await eventually(() => expect(receiver.got('/again')).toHaveLength(2));
    expect(new Set(receiver.got('/again').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('a receiver that', () => {
  it('hangs is aborted after the time limit', async () => {
    receiver.answers('/hangs', () => {});
    expect(await test(await make(receiver.at('/hangs')))).toMatchObject({
      situacao: 'falhou',
      status: null,
      erro: 'no answer in time',
    });
  });

  it('answers without end is read only up to some kilobytes', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    receiver.answers('/endless', res => {
      res.once('close', closed.resolve).writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      const write = (): void => {
        while (!res.destroyed && (sent += chunk.length) && res.write(chunk));
        if (!res.destroyed) res.once('drain', write);
      };
      write();
    });
    const delivery = await test(await make(receiver.at('/endless')));
    await closed.promise;
    expect(delivery).toMatchObject({ situacao: 'entregue', resposta: 'x'.repeat(1000) });
    expect(sent).toBeLessThan(32_000_000);
  });

  it('announces more than it sends has still answered', async () => {
    receiver.answers('/lies', res => {
      res.writeHead(200, { 'content-length': 1_000_000 }).write('only this');
      res.socket!.end();
    });
    expect(await test(await make(receiver.at('/lies')))).toMatchObject({
      situacao: 'entregue',
      resposta: 'only this',
    });
  });

  it('speaks no HTTP, or closes the connection, has not answered', async () => {
    receiver.answers('/noise', res => void res.socket!.end('\0\0\0 no HTTP\r\n\r\n'));
    expect(await test(await make(receiver.at('/noise')))).toMatchObject({ situacao: 'falhou', status: null });
    receiver.answers('/cut', res => void res.socket!.destroy());
    expect(await test(await make(receiver.at('/cut')))).toMatchObject({
      situacao: 'falhou',
      erro: 'ECONNRESET',
    });
  });

  it('switches protocols has refused', async () => {
    receiver.answers(
      '/switched',
      res =>
        void res.socket!.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        ),
    );
    expect(await test(await make(receiver.at('/switched')))).toMatchObject({
      situacao: 'falhou',
      status: 101,
    });
  });

  it('only announces an answer is aborted after the time limit', async () => {
    receiver.answers('/hints', res => {
      const timer = setInterval(() => res.writeEarlyHints({ link: '</x>; rel=preload' }), 10);
      res.once('close', () => clearInterval(timer));
    });
    expect(await test(await make(receiver.at('/hints')))).toMatchObject({
      situacao: 'falhou',
      status: null,
      erro: 'no answer in time',
    });
  });

  it('answers drop by drop has answered after the time limit', async () => {
    receiver.answers('/drops', res => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('.'), 10);
      res.once('close', () => clearInterval(timer));
    });
    expect(await test(await make(receiver.at('/drops')))).toMatchObject({
      situacao: 'entregue',
      resposta: expect.stringMatching(/^\.+$/),
    });
  });

  it('closes idle connections late has one time limit for all tries', async () => {
    const made = await make(receiver.at('/late'));
    await test(made);
    receiver.answers('/late', res => void setTimeout(() => res.socket!.destroy(), 400));
    expect(await test(made)).toMatchObject({ situacao: 'falhou', erro: 'no answer in time' });
  });

  it('redirects is not followed', async () => {
    receiver.answers('/moved', res => res.writeHead(307, { location: receiver.at('/inside') }).end());
    expect(await test(await make(receiver.at('/moved')))).toMatchObject({ situacao: 'falhou', status: 307 });
    expect(receiver.got('/inside')).toEqual([]);
  });
});

describe('an address', () => {
  const inside = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:1::',
    '2001:db8::1',
    '100::1',
  ];
  const outside = [
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
  ];
  const none = new Networks([]);
  const named = new Networks(['10.0.0.0/8', '192.168.7.7', 'fd12:3456::/48']);

  it.each(inside)('%s is not reached', address => {
    expect([none.admit(address, true), none.admit(address, false)]).toEqual([false, false]);
  });

  it.each(outside)('%s is reached, but not without TLS', address => {
    expect([none.admit(address, true), none.admit(address, false)]).toEqual([true, false]);
  });

  it.each([
    ['10.255.0.1', true],
    ['::ffff:10.255.0.1', true],
    ['192.168.7.7', true],
    ['192.168.7.8', false],
    ['fd12:3456::9', true],
    ['fd12:3457::9', false],
  ])('%s is reached, also without TLS, if its network is named: %s', (address, isReached) => {
    expect([named.admit(address, true), named.admit(address, false)]).toEqual([isReached, isReached]);
  });

  it.each([
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://0x7f.2/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.2]/',
    'https://169.254.169.254/latest/meta-data/',
    'http://8.8.8.8/',
    'ftp://example.org/',
    'https://user:password@example.org/',
    'javascript:alert(1)',
    'https://',
    'x',
  ])('%s cannot be given', async url => {
    const { status, body } = await admin.post(paths.webhooks, { url, eventos: ['lote.criado'] });
    expect([status, body.errors?.map(({ field }: { field: string }) => field)]).toEqual([422, ['url']]);
  });

  it.each(['127.0.0.2', '10.0.0.1', '::1', '169.254.169.254'])(
    'is not reached by a name that leads to %s',
    async address => {
      names.set('inside.example', [address]);
      const made = await make(receiver.at('/named', 'inside.example'));
      expect(await test(made)).toMatchObject({
        situacao: 'falhou',
        status: null,
        erro: expect.stringContaining('may be reached'),
      });
      expect(receiver.got('/named')).toEqual([]);
    },
  );

  it('is checked at each connection, because a name may lead elsewhere the next time', async () => {
    names.set('changes.example', ['127.0.0.1', '127.0.0.2']);
    receiver.answers('/changes', res => res.writeHead(204, { connection: 'close' }).end());
    const made = await make(receiver.at('/changes', 'changes.example'));
    expect(await test(made)).toMatchObject({ situacao: 'entregue' });
    expect(await test(made)).toMatchObject({ situacao: 'falhou' });
    expect(receiver.got('/changes')).toHaveLength(1);
  });

  it('that has no name is not found', async () => {
    expect(await test(await make('https://nowhere.example/'))).toMatchObject({
      situacao: 'falhou',
      erro: 'ENOTFOUND',
    });
  });
});

describe('webhooks', () => {
  it.each([
    [1, 403],
    [2, 403],
    [3, 201],
  ])('are made with level 3: %i', async (nivel, expected) => {
    const revoke = await grant(service(), 'tecnico', { controller: 'institucional/webhooks', nivel });
    const tecnico = await service().as('tecnico');
    const { status } = await tecnico.post(paths.webhooks, {
      url: receiver.at('/level'),
      eventos: ['lote.criado'],
    });
    await revoke();
    expect(status).toBe(expected);
  });

  it('of somebody who may do more are changed by nobody else', async () => {
    const { id, segredo } = await make(receiver.at('/mine'));
    const revoke = await grant(service(), 'tecnico', { controller: 'institucional/webhooks', nivel: 3 });
    const tecnico = await service().as('tecnico');
    const answers = [
      await tecnico.put(`${paths.webhooks}/${id}`, { url: receiver.at('/theirs'), eventos: ['lote.criado'] }),
      await tecnico.post(`${paths.webhooks}/trocar-segredo`, { id }),
      await tecnico.post(`${paths.webhooks}/pausar`, { id }),
      await tecnico.post(`${paths.webhooks}/retomar`, { id }),
    ];
    await revoke();
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 403]);
    expect(await state({ id })).toEqual({ situacao: 'pausado', motivo: 'pedido' });
    await test({ id });
    expect(verified(segredo, receiver.got('/mine')[0]!).type).toBe('webhook.teste');
    expect(receiver.got('/theirs')).toEqual([]);
  });

  it('are paused when their owner may not have them any more', async () => {
    const revoke = await grant(service(), 'tecnico', { controller: 'institucional/webhooks', nivel: 3 });
    const made = await make(receiver.at('/owner'), {}, await service().as('tecnico'));
    expect(await test(made)).toMatchObject({ situacao: 'entregue' });
    await revoke();
    expect(await test(made)).toMatchObject({ situacao: 'falhou', erro: expect.stringContaining('direitos') });
    expect(await state(made)).toEqual({ situacao: 'pausado', motivo: 'direitos' });
    expect(receiver.got('/owner')).toHaveLength(1);
  });
});

describe('events', () => {
  const kindsOfCompany = '/almoxarifadoquimicos/tipos-empresas';
  const kinds = ['tipo_empresa.criado', 'tipo_empresa.alterado', 'tipo_empresa.removido'];
  const name = (): string => randomUUID().slice(0, 8);

  async function company(client = admin): Promise<number> {
    const { status, body } = await client.post(kindsOfCompany, { descricao: name(), obriga_cnpj: 'N' });
    expect(status).toBe(201);
    return body.id as number;
  }
  const change = async (id: number, client = admin): Promise<void> => {
    const { status } = await client.put(`${kindsOfCompany}/${id}`, { descricao: name(), obriga_cnpj: 'N' });
    expect(status).toBe(200);
  };
  const sweep = (): Promise<void> => dropExpired(service().services.listing.reader);
  const inOrder = (texts: string[]): string[] => texts.toSorted((a, b) => (a < b ? -1 : 1));
  /** Lets what failed be tried again now. */
  async function retryNow({ id }: Pick<Made, 'id'>, tries?: number): Promise<void> {
    await service().sql(
      `update entrega_webhook set proxima_em = now(), tentativas = coalesce($2, tentativas)
       where id_webhook = $1 and situacao = 'pendente'`,
      [id, tries],
    );
    deliverer.wake();
  }
  const changesAt = (made: Made, path: string): any[] =>
    receiver.got(path).map(message => verified(made.segredo, message).data);
  const deliveries = async (made: Made): Promise<any[]> =>
    (await admin.get(`${paths.deliveries}?idWebhook=${made.id}&pagination=false`)).body.data;
  /** The feed no longer has the position of the webhook. */
  async function losePosition({ id }: Made): Promise<void> {
    const lost = cursorOf({ history: randomUUID(), number: 1, mark: 1, entry: 1 });
    await service().sql(`update andamento_webhook set cursor = $2 where id_webhook = $1`, [id, lost]);
  }
  /** A new record, when its event has been delivered. */
  async function arrivesNext(made: Made): Promise<number> {
    const id = await company();
    await eventually(async () =>
      expect(await deliveries(made)).toContainEqual(
        expect.objectContaining({ id_registro: id, situacao: 'entregue' }),
      ),
    );
    return id;
  }

  it('arrive as the feed shows them', async () => {
    const made = await make(receiver.at('/feed'), { eventos: kinds });
    const { ultimo } = (await admin.get('/mudancas?first=1')).body;
    const id = await company();
    await change(id);
    await admin.delete(`${kindsOfCompany}/${id}`);
    await eventually(() => expect(changesAt(made, '/feed')).toHaveLength(3));
    const { body } = await admin.get(`/mudancas?after=${ultimo}&tabelas=tipo_empresa`);
    expect(changesAt(made, '/feed')).toEqual(body.data);
    expect(changesAt(made, '/feed').map(({ tipo }) => tipo)).toEqual(kinds);
  });

  it.each([
    ['registros', (id: number) => ({ registros: [id] }), ['alterado', 'removido']],
    ['campos', () => ({ campos: ['obriga_cnpj'] }), ['alterado', 'criado', 'removido', 'removido']],
    ['exceto_sistemas', () => ({ exceto_sistemas: [1] }), []],
  ])('may be limited by %s', async (member, filtro, expected) => {
    const [one, other] = [await company(), await company()];
    const path = `/only-${member}`;
    const made = await make(receiver.at(path), { eventos: kinds, filtro: filtro(one) });
    const all = await make(receiver.at(`${path}-all`), { eventos: kinds });
    await admin.put(`${kindsOfCompany}/${other}`, { descricao: name(), obriga_cnpj: 'S' });
    await change(one);
    if (member === 'campos') await company();
    for (const id of [one, other]) await admin.delete(`${kindsOfCompany}/${id}`);
    await eventually(() => expect(changesAt(all, `${path}-all`).length).toBeGreaterThan(3));
    await eventually(() =>
      expect(inOrder(changesAt(made, path).map(({ tipo }) => tipo.split('.')[1]))).toEqual(expected),
    );
  });

  it('must be of known kinds, which the owner may read', async () => {
    const unknown = { url: receiver.at('/x'), eventos: ['lote.criado', 'lote.comido', 'credencial.criada'] };
    const { status, body } = await admin.post(paths.webhooks, unknown);
    expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['eventos[1]', 'eventos[2]'],
    ]);
    const revoke = await grant(service(), 'tecnico', { controller: 'institucional/webhooks', nivel: 3 });
    const tecnico = await service().as('tecnico');
    const refused = await tecnico.post(paths.webhooks, {
      url: receiver.at('/x'),
      eventos: ['lote.criado', 'perfil.criado'],
    });
    await revoke();
    expect([refused.status, refused.body.errors.map(({ field }: { field: string }) => field)]).toEqual([
      403,
      ['eventos[1]'],
    ]);
  });

  it('stop when the owner may not read them any more', async () => {
    const revoke = [
      await grant(service(), 'discente', { controller: 'institucional/webhooks', nivel: 3 }),
      await grant(service(), 'discente', { controller: 'almoxarifadoquimicos/tipos-empresas', nivel: 1 }),
    ];
    const made = await make(receiver.at('/rights'), { eventos: kinds }, await service().as('discente'));
    await company();
    await eventually(() => expect(changesAt(made, '/rights')).toHaveLength(1));
    await revoke[1]!();
    await company();
    await eventually(async () =>
      expect(await state(made)).toEqual({ situacao: 'pausado', motivo: 'direitos' }),
    );
    await revoke[0]!();
    expect(changesAt(made, '/rights')).toHaveLength(1);
  });

  it('of records that are not the owner’s are not sent, also if they were when they happened', async () => {
    const revoke = await grant(service(), 'discente', { controller: 'institucional/webhooks', nivel: 3 });
    const discente = await service().as('discente');
    const made = await make(receiver.at('/own'), { eventos: ['importacao.criada'] }, discente);
    receiver.answers('/own', res => res.writeHead(503).end());
    const add = `insert into importacao (registros, nome_arquivo, criado_por) select 'x', 'x', p.id from pessoa p where p.usuario = $1 returning id`;
    const [own, late] = [await service().sql(add, ['discente']), await service().sql(add, ['discente'])].map(
      rows => rows[0]![0] as number,
    );
    await service().sql(add, ['admin']);
    await eventually(async () => {
      const found = await deliveries(made);
      expect(found.map(({ status }) => status)).toEqual([503, 503]);
    });
    await service().sql('update importacao set criado_por = 1 where id = $1', [late]);
    receiver.answers('/own', res => res.writeHead(204).end());
    await retryNow(made);
    await eventually(async () => {
      const found = new Map((await deliveries(made)).map(one => [one.id_registro, one.situacao]));
      expect(found).toEqual(
        new Map([
          [own, 'entregue'],
          [late, 'omitida'],
        ]),
      );
    });
    await revoke();
  });

  it('of a record wait for the earlier ones, and those of other records do not', async () => {
    const [stuck, free] = [await company(), await company()];
    const made = await make(receiver.at('/order'), { eventos: kinds });
    receiver.answers('/order', (res, { body }) =>
      res.writeHead(JSON.parse(body).data.registro.id === stuck ? 500 : 204).end(),
    );
    for (let n = 0; n < 3; n++) for (const id of [stuck, free]) await change(id);
    const accepted = (id: number) => changesAt(made, '/order').filter(({ registro }) => registro.id === id);
    await eventually(() => expect(accepted(free)).toHaveLength(3));
    expect(new Set(accepted(stuck).map(({ registro }) => registro.versao))).toEqual(new Set([2]));
    receiver.answers('/order', res => res.writeHead(204).end());
    await retryNow(made);
    await eventually(async () =>
      expect((await deliveries(made)).every(({ situacao }) => situacao === 'entregue')).toBe(true),
    );
    expect(
      accepted(stuck)
        .map(({ registro }) => registro.versao)
        .slice(-3),
    ).toEqual([2, 3, 4]);
  });

  it('of other records arrive, however many of one record wait', async () => {
    const stuck = await company();
    const made = await make(receiver.at('/crowd'), { eventos: kinds });
    receiver.answers('/crowd', (res, { body }) =>
      res.writeHead(JSON.parse(body).data.registro.id === stuck ? 500 : 204).end(),
    );
    await change(stuck);
    await eventually(() => expect(receiver.got('/crowd')).toHaveLength(1));
    await service().sql(
      `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca)
       select id_webhook, evento, tabela, id_registro, mudanca from entrega_webhook, generate_series(1, 1000)
       where id_webhook = $1`,
      [made.id],
    );
    const free = await company();
    await eventually(() =>
      expect(changesAt(made, '/crowd').map(({ registro }) => registro.id)).toContain(free),
    );
    await admin.delete(`${paths.webhooks}/${made.id}`);
  });

  it('are not kept waiting by a clock that was ahead', async () => {
    const made = await make(receiver.at('/ahead'), { eventos: kinds });
    receiver.answers('/ahead', res => res.writeHead(500).end());
    const [tried, leased] = [await company(), await company()];
    const [fresh, paused] = [await company(), await company()];
    // As a clock would have left them that was 20 hours ahead, except for the paused one. None is being sent then.
    await eventually(async () =>
      expect(
        await service().sql(
          `update entrega_webhook set
             tentativas = case id_registro when $2 then 8 when $3 then 0 else 1 end,
             proxima_em = now() + make_interval(hours => case id_registro when $2 then 14 else 20 end),
             reserva = case id_registro when $4 then gen_random_uuid() end,
             reservada_ate = case id_registro when $4 then now() + interval '20 hours' end
           where id_webhook = $1 and reserva is null and status = 500 returning id`,
          [made.id, paused, fresh, leased],
        ),
      ).toHaveLength(4),
    );
    receiver.answers('/ahead', res => res.writeHead(204).end());
    for (const id of [tried, leased, fresh]) await change(id);
    deliverer.wake();
    await eventually(async () =>
      expect((await deliveries(made)).filter(({ situacao }) => situacao === 'entregue')).toHaveLength(6),
    );
    expect((await deliveries(made)).filter(({ situacao }) => situacao === 'pendente')).toEqual([
      expect.objectContaining({ id_registro: paused, tentativas: 8 }),
    ]);
  });

  it('that are refused for three days pause the webhook, and go on when it is resumed', async () => {
    const made = await make(receiver.at('/refused'), { eventos: kinds });
    receiver.answers('/refused', res => res.writeHead(500).end('down'));
    await company();
    await eventually(async () =>
      expect((await deliveries(made))[0]).toMatchObject({
        tentativas: 1,
        status: 500,
        resposta: 'down',
        situacao: 'pendente',
      }),
    );
    await retryNow(made, 10);
    await eventually(async () =>
      expect(await state(made)).toEqual({ situacao: 'pausado', motivo: 'falhas' }),
    );
    await company();
    receiver.answers('/refused', res => res.writeHead(204).end());
    expect((await admin.post(`${paths.webhooks}/retomar`, { id: made.id })).status).toBe(200);
    deliverer.wake();
    await eventually(async () =>
      expect((await deliveries(made)).map(({ situacao }) => situacao)).toEqual(['entregue', 'entregue']),
    );
  });

  it('stop when the receiver answers 410', async () => {
    const made = await make(receiver.at('/gone'), { eventos: kinds });
    receiver.answers('/gone', res => res.writeHead(410).end());
    await company();
    await eventually(async () =>
      expect(await state(made)).toEqual({ situacao: 'pausado', motivo: 'cancelamento' }),
    );
    await company();
    expect(receiver.got('/gone')).toHaveLength(1);
  });

  it('are read by the receiver of the documentation', async () => {
    const text = await readFile(join(project, 'docs/events.md'), 'utf8');
    const code = /```js\n([^]*?)```/.exec(text)![1]!;
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
    const PORT = String(await freePort());
    const made = await make(`http://127.0.0.1:${PORT}/`, { eventos: kinds });
    const args = ['--input-type=module', '--eval', code];
    const env = { PORT, WEBHOOK_SECRET: made.segredo };
    const run = new Run(
      spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    try {
      await eventually(async () => expect((await test(made)).situacao).toBe('entregue'));
      const id = await company();
      await eventually(() => expect(run.stdout).toContain(`tipo_empresa.criado ${id}\n`));
      expect(run.stderr).toBe('');
    } finally {
      await run.stop();
    }
  });

  it('that were lost are reported as a gap', async () => {
    const made = await make(receiver.at('/gap'), { eventos: kinds });
    await losePosition(made);
    deliverer.wake();
    await eventually(() =>
      expect(changesAt(made, '/gap').map(({ tipo }) => tipo)).toEqual(['webhook.lacuna']),
    );
    await company();
    await eventually(() =>
      expect(changesAt(made, '/gap').map(({ tipo }) => tipo)).toEqual(['webhook.lacuna', kinds[0]]),
    );
  });

  it('of a webhook that was paused for so long that also the feed forgot them are one gap', async () => {
    const made = await make(receiver.at('/slept'), { eventos: kinds });
    receiver.answers('/slept', res => res.writeHead(500).end());
    await company();
    await eventually(async () => expect(await deliveries(made)).toMatchObject([{ status: 500 }]));
    expect((await admin.post(`${paths.webhooks}/pausar`, { id: made.id })).status).toBe(200);
    await service().sql(
      `update entrega_webhook set criado_em = now() - interval '31 days' where id_webhook = $1 and reserva is null`,
      [made.id],
    );
    await losePosition(made);
    await sweep();
    receiver.answers('/slept', res => res.writeHead(204).end());
    // A turn that began before it would send the gap first, and then find that the position is lost.
    await deliverer.stop();
    expect((await admin.post(`${paths.webhooks}/retomar`, { id: made.id })).status).toBe(200);
    deliverer = new WebhookDeliverer(service().services, { resolve, exchangeMs: 500, afterFailureMs: 300 });
    deliverer.start();
    const { history } = positionOf((await admin.get('/mudancas?first=1')).body.ultimo);
    await eventually(async () => {
      const rows = await service().sql('select cursor from andamento_webhook where id_webhook = $1', [
        made.id,
      ]);
      expect(positionOf(rows[0]![0] as string).history).toBe(history);
    });
    // What comes last shows that nothing is left to come before it.
    const last = await arrivesNext(made);
    expect((await deliveries(made)).map(({ evento, id_registro }) => [evento, id_registro])).toEqual(
      expect.arrayContaining([
        ['webhook.lacuna', made.id],
        [kinds[0], last],
      ]),
    );
    expect(await deliveries(made)).toHaveLength(2);
    // A gap that was told covers nothing that is lost after it.
    await losePosition(made);
    deliverer.wake();
    await eventually(async () =>
      expect((await deliveries(made)).filter(({ evento }) => evento === 'webhook.lacuna')).toHaveLength(2),
    );
  });

  it('after a gap wait until the receiver has accepted it', async () => {
    const made = await make(receiver.at('/gap-first'), { eventos: kinds });
    receiver.answers('/gap-first', (res, { body }) =>
      res.writeHead(JSON.parse(body).type === 'webhook.lacuna' ? 500 : 204).end(),
    );
    await losePosition(made);
    deliverer.wake();
    await eventually(async () =>
      expect(await deliveries(made)).toMatchObject([{ evento: 'webhook.lacuna', tentativas: 1 }]),
    );
    const ids = new Set([await company(), await company()]);
    await eventually(async () => expect(await deliveries(made)).toHaveLength(3));
    // Every look that begins after an event of the same age has arrived elsewhere has seen these.
    const beside = await make(receiver.at('/gap-beside'), { eventos: kinds });
    await arrivesNext(beside);
    expect(changesAt(made, '/gap-first').map(({ tipo }) => tipo)).not.toContain(kinds[0]);
    receiver.answers('/gap-first', res => res.writeHead(204).end());
    await retryNow(made);
    await eventually(() => {
      const told = changesAt(made, '/gap-first').filter(({ registro }) => ids.has(registro.id));
      expect(told).toHaveLength(2);
    });
  });

  it('that a paused webhook waited for too long to send are reported as one gap, before those that follow', async () => {
    const made = await make(receiver.at('/forgotten'), { eventos: kinds });
    receiver.answers('/forgotten', res => res.writeHead(500).end());
    for (const _ of ['one', 'another']) await company();
    const fresh = await company();
    await eventually(async () => {
      const waiting = await deliveries(made);
      expect(waiting.map(({ situacao, tentativas }) => [situacao, tentativas])).toEqual(
        Array.from({ length: 3 }, () => ['pendente', 1]),
      );
    });
    expect((await admin.post(`${paths.webhooks}/pausar`, { id: made.id })).status).toBe(200);
    const grows = (days: number) =>
      service().sql(
        `update entrega_webhook set criado_em = now() - make_interval(days => $2)
         where id_webhook = $1 and id_registro <> $3`,
        [made.id, days, fresh],
      );
    await grows(29);
    await sweep();
    expect(await deliveries(made)).toHaveLength(3);
    await grows(31);
    await Promise.all([sweep(), sweep()]);
    // The report itself is not forgotten, however long the pause lasts.
    await grows(31);
    await sweep();
    const tried = receiver.got('/forgotten').map(({ headers }) => headers['webhook-id']);
    receiver.answers('/forgotten', res => res.writeHead(204).end());
    expect((await admin.post(`${paths.webhooks}/retomar`, { id: made.id })).status).toBe(200);
    deliverer.wake();
    const left = async () => {
      const all = (await deliveries(made)).toSorted((a, b) => a.id - b.id);
      return all.map(({ evento, id_registro, situacao }) => [evento, id_registro, situacao]);
    };
    await eventually(async () =>
      expect(await left()).toEqual([
        ['webhook.lacuna', made.id, 'entregue'],
        [kinds[0], fresh, 'entregue'],
      ]),
    );
    const told = receiver
      .got('/forgotten')
      .find(one => verified(made.segredo, one).type === 'webhook.lacuna')!;
    expect(verified(made.segredo, told).data.registro).toEqual({
      tabela: 'webhook',
      id: made.id,
      versao: null,
    });
    expect(tried).not.toContain(told.headers['webhook-id']);
  });

  it('of a test that were forgotten are no gap', async () => {
    const made = await make(receiver.at('/untested'), { eventos: kinds });
    await service().sql(
      `with test as (
         insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca, criado_em, proxima_em)
         values ($1, 'webhook.teste', 'webhook', $1, '{}', now() - interval '31 days', now() + interval '1 day')
       ) update webhook set situacao = 'pausado', motivo = 'pedido' where id = $1`,
      [made.id],
    );
    await sweep();
    expect(await deliveries(made)).toEqual([]);
  });

  it('that killed processes were sending count no tries, so one refusal does not pause the webhook', async () => {
    const made = await make(receiver.at('/killed'), { eventos: kinds });
    let asked = 0;
    receiver.answers('/killed', () => (asked += 1));
    await company();
    for (let killed = 1; killed <= 10; killed++) {
      await eventually(() => expect(asked).toBe(killed));
      if (killed === 10) receiver.answers('/killed', res => res.writeHead(503).end());
      // What a process leaves behind, once its lease has ended.
      await service().sql(
        `update entrega_webhook set reserva = gen_random_uuid(), reservada_ate = now() - interval '1 second'
         where id_webhook = $1`,
        [made.id],
      );
      deliverer.wake();
    }
    await eventually(async () =>
      expect(await deliveries(made)).toMatchObject([{ situacao: 'pendente', status: 503, tentativas: 1 }]),
    );
    expect(await service().sql('select situacao from webhook where id = $1', [made.id])).toEqual([['ativo']]);
  });

  it('in delivery when a process ends are taken over by another process', async () => {
    const beside = await startService({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: KEY }, service());
    await deliverer.stop();
    const leaving = new WebhookDeliverer(beside.services, { drainMs: 0 });
    leaving.start();
    const made = await make(receiver.at('/left'), { eventos: kinds });
    const asked = Promise.withResolvers<void>();
    receiver.answers('/left', () => asked.resolve());
    await company();
    await asked.promise;
    // What is sent again while it is on its way counts no tries either.
    const [{ id }] = (await deliveries(made)) as [{ id: number }];
    await admin.post(`${paths.deliveries}/reenviar`, { id });
    await leaving.stop();
    await beside.stop();
    expect(await deliveries(made)).toMatchObject([{ situacao: 'pendente', tentativas: 0 }]);
    receiver.answers('/left', res => res.writeHead(204).end());
    deliverer = new WebhookDeliverer(service().services, { resolve, exchangeMs: 500, afterFailureMs: 300 });
    deliverer.start();
    await eventually(async () =>
      expect(await deliveries(made)).toMatchObject([{ situacao: 'entregue', tentativas: 1 }]),
    );
  });
});
