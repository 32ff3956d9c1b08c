import { randomUUID } from 'node:crypto';
import { demoPassword } from '../../src/demo/login.ts';
import type { Client, GraphQLAnswer } from './client.ts';
import type { TestService } from './service.ts';

export interface System {
  id: number;
  sigla: string;
}

/** A system without a key, created by the administrator. */
export async function makeSystem(service: TestService): Promise<System> {
  const sigla = randomUUID().slice(0, 8);
  const { body } = await (
    await service.as('admin')
  ).post('/permissoes/sistemas', { nome: `Sistema ${sigla}`, sigla });
  return { id: body.id, sigla };
}

const ISSUE = `mutation ($id: Int!, $expira: DateTime) {
  emitirChaveApi(idSistema: $id, expiraEm: $expira) { id chave expiraEm }
}`;

export const issueKey = (client: Client, { id }: { id: number }, expira?: string): Promise<GraphQLAnswer> =>
  client.graphql(ISSUE, { id, expira });

export const revokeKey = (client: Client, id: number): Promise<GraphQLAnswer> =>
  client.graphql(`mutation { revogarChaveApi(id: ${id}) { id idSistema revogadaEm } }`);

/** A key created by the administrator. */
export async function makeKey(
  service: TestService,
  system: System,
  expira?: string,
): Promise<{ id: number; chave: string }> {
  return (await issueKey(await service.as('admin'), system, expira)).data.emitirChaveApi;
}

interface Key {
  id: number;
  expiraEm: string | null;
  revogadaEm: string | null;
  ultimoUso: string | null;
}

/** The keys of a system, as an administrator sees them. */
export async function keysOf(service: TestService, { id }: System): Promise<Key[]> {
  const query = `{ chavesApi(idSistema: ${id}) { data { id expiraEm revogadaEm ultimoUso } } }`;
  return (await (await service.as('admin')).graphql(query)).data.chavesApi.data;
}

/** Status of a login through a system. */
export async function logInThrough(
  service: TestService,
  { sigla }: System,
  chave: string,
  appversion = '1',
): Promise<number> {
  const client = service.anyone.with({ 'app-name': sigla, 'api-key': chave, appversion });
  const credentials = { username: 'docente', password: demoPassword('docente') };
  return (await client.post('/auth/login', credentials)).status;
}
