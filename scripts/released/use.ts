import { systemHeaders, type Answer, type Client } from '../../test/support/client.ts';

const area = '/almoxarifadoquimicos';
const movements = `${area}/movimentacoes-estoque`;
const approvals = `${area}/aprova-movimentacoes`;

/** What the upgrade test must know about a used database. */
export interface Known {
  /** Tokens of open sessions, by user name. */
  tokens: Record<string, string>;
  /** A movement that was sent under a key, and its answer. */
  sentAgain: { key: string; body: unknown; answer: unknown };
}

/** Uses a service with demo data in every way that leaves rows. */
export async function useService(anyone: Client): Promise<Known> {
  const tokens: Record<string, string> = {};
  const as = async (user: string): Promise<Client> => {
    const client = await anyone.login(user);
    tokens[user] = client.headers['token']!;
    return client;
  };
  const [admin, storeroom] = [await as('admin'), await as('almoxarife')];
  for (const user of ['tecnico', 'docente', 'discente']) await as(user);
  await moveStock(storeroom);
  await decide(storeroom, admin);
  await writeRecords(storeroom);
  await enterAndLeave(anyone);
  return { tokens, sentAgain: await sendUnderKey(storeroom) };
}

const movement = (id_tipo_movimentacao: number, quantidade: number, more: object = {}) => ({
  id_lote: 112,
  id_tipo_movimentacao,
  quantidade,
  fl_estorno: 'N',
  ...(id_tipo_movimentacao === 2 ? { id_local_destino_fim: 1 } : { id_local_origem_fim: 1 }),
  ...more,
});

const post = async (client: Client, path: string, body: unknown, status = 201): Promise<Answer['body']> =>
  expectStatus(await client.post(path, body), status);

function expectStatus(answer: Answer, status: number): Answer['body'] {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Entries, transfers, consumptions, a disposal, and reversals of some. */
async function moveStock(client: Client): Promise<void> {
  const transfer = movement(3, 3, { id_local_destino_fim: 2 });
  const done = [movement(2, 50), transfer, movement(4, 2, { observacao: 'Aula prática' }), movement(5, 1)];
  const undone = [transfer, movement(4, 2)].map(one => ({ ...one, fl_estorno: 'S' }));
  for (const one of [...done, ...undone]) await post(client, movements, { movimentacoes: [one] });
  await post(client, movements, { movimentacoes: [movement(2, 5), movement(4, 5)] });
}

/** Decides some of what waits: approvals and a rejection; what remains still waits after the upgrade. */
async function decide(client: Client, admin: Client): Promise<void> {
  const inbox = expectStatus(await client.get(approvals), 200).data as { id_movimentacao: number }[];
  const [first, second, ...rest] = inbox.map(({ id_movimentacao }) => ({ id_movimentacao }));
  if (rest.length === 0) throw new Error('nothing would be left to decide after the upgrade');
  await post(client, approvals, first, 200);
  await post(admin, `${approvals}?rejeitar=true`, { ...second, motivo: 'Quantidade errada' }, 200);
}

/** A record that is created, changed and deleted, and one that stays. */
async function writeRecords(client: Client): Promise<void> {
  const kinds = `${area}/tipos-empresas`;
  const { id } = await post(client, kinds, { descricao: 'Importador' });
  expectStatus(await client.put(`${kinds}/${id}`, { descricao: 'Importadora' }), 200);
  expectStatus(await client.delete(`${kinds}/${id}`), 200);
  await post(client, kinds, { descricao: 'Transportadora' });
}

/** A session that was ended, and a login that failed. */
async function enterAndLeave(anyone: Client): Promise<void> {
  const left = await anyone.login('discente');
  const { errors } = await left.graphql('mutation { sair }');
  if (errors) throw new Error(errors[0]!.message);
  const wrong = { username: 'tecnico', password: 'errada' };
  expectStatus(await anyone.with(systemHeaders).post('/auth/login', wrong), 401);
}

async function sendUnderKey(client: Client): Promise<Known['sentAgain']> {
  const [key, body] = ['entrega-2026-118', { movimentacoes: [movement(2, 7)] }];
  const answer = await post(client.with({ 'idempotency-key': key }), movements, body);
  return { key, body, answer };
}
