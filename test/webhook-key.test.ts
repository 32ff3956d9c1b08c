import { afterEach, expect, it } from 'vitest';
import { WebhookDeliverer } from '../src/webhooks/deliverer.ts';
import { eventually } from './support/process.ts';
import { useReceiver, verified } from './support/receiver.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: 'k'.repeat(32) });
const receiver = useReceiver();
const paths = { webhooks: '/institucional/webhooks', deliveries: '/institucional/entregas-webhook' };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Starts to send the events as this process. */
function deliver({ services }: TestService, options: { leaveMs?: number } = {}): WebhookDeliverer {
  const deliverer = new WebhookDeliverer(services, options);
  deliverer.start();
  ends.push(() => deliverer.stop());
  return deliverer;
}

/** A process beside the service, on the same database. */
async function beside(environment: NodeJS.ProcessEnv): Promise<TestService> {
  const other = await startService(environment, service());
  ends.push(() => other.stop());
  return other;
}

interface Made {
  id: number;
  segredo: string;
}

async function make(path: string): Promise<Made> {
  const body = { url: receiver.at(path), eventos: ['tipo_empresa.criado'] };
  const made = await (await service().as('admin')).post(paths.webhooks, body);
  expect(made.status).toBe(201);
  return made.body as Made;
}

/** Causes one event. */
async function cause(): Promise<void> {
  const body = { descricao: crypto.randomUUID().slice(0, 8), obriga_cnpj: 'N' };
  const path = '/almoxarifadoquimicos/tipos-empresas';
  expect((await (await service().as('admin')).post(path, body)).status).toBe(201);
}

async function state({ id }: Made): Promise<object> {
  const { situacao, motivo } = (await (await service().as('admin')).get(`${paths.webhooks}/${id}`)).body;
  return { situacao, motivo };
}

/** What happens to the deliveries of a webhook: situation, attempts and whether a process has had them. */
const deliveries = ({ id }: Made): Promise<unknown[][]> =>
  service().sql(
    `select situacao, tentativas, tentada_em is not null and reserva is null from entrega_webhook where id_webhook = $1 order by id`,
    [id],
  );

it.each([
  ['without a key', () => ({ DATABASE_URL: service().databaseUrl })],
  ['with another key', () => ({ WEBHOOK_KEY: 'o'.repeat(32) })],
])('a process %s leaves the events to the others, and pauses no webhook', async (name, environment) => {
  const path = `/${name.replaceAll(' ', '-')}`;
  const made = await make(path);
  deliver(await beside(environment()));
  await cause();
  await eventually(async () => expect(await deliveries(made)).toEqual([['pendente', 0, true]]));
  expect(await state(made)).toEqual({ situacao: 'ativo', motivo: null });
  deliver(service());
  await eventually(() => expect(receiver.got(path)).toHaveLength(1));
  await cause();
  await eventually(() => expect(receiver.got(path)).toHaveLength(2));
  for (const message of receiver.got(path))
    expect(verified(made.segredo, message).type).toBe('tipo_empresa.criado');
  expect(await state(made)).toEqual({ situacao: 'ativo', motivo: null });
});

it('a process with another key pauses no webhook that another one sends to, however often the receiver refuses', async () => {
  const made = await make('/refusing');
  receiver.answers('/refusing', res => res.writeHead(500).end());
  deliver(await beside({ WEBHOOK_KEY: 'o'.repeat(32) }), { leaveMs: 50 });
  await cause();
  for (const tries of [0, 1, 2, 3, 4, 5, 6]) {
    await eventually(async () => expect(await deliveries(made)).toEqual([['pendente', tries, true]]));
    const able = deliver(service());
    await eventually(async () => expect(await deliveries(made)).toEqual([['pendente', tries + 1, true]]));
    await able.stop();
    const dueAgain = 'update entrega_webhook set proxima_em = now(), tentada_em = null where id_webhook = $1';
    await service().sql(dueAgain, [made.id]);
  }
  expect(receiver.got('/refusing')).toHaveLength(7);
  expect(await state(made)).toEqual({ situacao: 'ativo', motivo: null });
});

it('a webhook whose secret no process can decrypt is paused after some minutes, until the secret is changed', async () => {
  const made = await make('/lost');
  const admin = await service().as('admin');
  await service().sql(
    `update andamento_webhook set segredo = set_byte(segredo, 40, get_byte(segredo, 40) # 1) where id_webhook = $1`,
    [made.id],
  );
  const deliverer = deliver(service(), { leaveMs: 50 });
  await cause();
  await eventually(async () => expect(await state(made)).toEqual({ situacao: 'pausado', motivo: 'segredo' }));
  expect(await deliveries(made)).toEqual([['pendente', 0, true]]);
  const { body } = await admin.post(`${paths.webhooks}/testar`, { id: made.id });
  deliverer.wake();
  await eventually(async () =>
    expect((await admin.get(`${paths.deliveries}/${body.id}`)).body).toMatchObject({
      situacao: 'falhou',
      erro: expect.stringContaining('segredo'),
    }),
  );
  expect(receiver.got('/lost')).toEqual([]);
  const changed = await admin.post(`${paths.webhooks}/trocar-segredo`, { id: made.id });
  expect((await admin.post(`${paths.webhooks}/retomar`, { id: made.id })).status).toBe(200);
  await eventually(() => expect(receiver.got('/lost')).toHaveLength(1));
  expect(verified(changed.body.segredo, receiver.got('/lost')[0]!).type).toBe('tipo_empresa.criado');
});
