import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { demoPassword } from '../../src/demo/login.ts';
import type { Canaries } from './canaries.ts';
import { systemHeaders, type Client } from './client.ts';

/** Secrets that the service itself creates, used correctly and incorrectly. */
export async function secretsOfTheService(
  { canary, given, send, ask }: Canaries,
  client: Client,
): Promise<Client> {
  const system = client.with(systemHeaders);
  const credentials = { username: 'admin', password: demoPassword('admin') };
  const { body } = await system.post('/auth/login', credentials);
  const admin = system.with({ token: given('token', body.token) });
  await send(admin, 'POST', '/auth/login', {
    ...credentials,
    token: canary('replaced token'),
    password: 'x',
  });
  await send(admin, 'GET', `/permissoes/autenticacoes/1?token=${body.token}`);
  await send(admin, 'GET', `/permissoes/parametros-acesso-api/${body.token}`);
  await send(admin, 'GET', `/permissoes/parametros-acesso-api/${canary('wrong token')}`);
  await ask(
    admin,
    `{ parametroAcessoApi(token: "${body.token}") { id } autenticacao(id: "${canary('token for an id')}") { id } }`,
  );
  const once = admin.with({ 'idempotency-key': randomUUID() });
  const key = await once.graphql('mutation { emitirChaveApi(idSistema: 1) { id chave } }');
  given('API key', key.data.emitirChaveApi.chave);
  await ask(once, 'mutation { emitirChaveApi(idSistema: 1) { id } }');
  const webhook = { url: 'https://nobody.example/', eventos: ['lote.criado'] };
  const { body: made } = await admin.post('/institucional/webhooks', webhook);
  given('secret of a webhook', made.segredo);
  const { body: rotated } = await admin.post('/institucional/webhooks/trocar-segredo', { id: made.id });
  given('new secret of a webhook', rotated.segredo);

  await send(admin, 'POST', '/institucional/webhooks/testar', { id: made.id });
  for (const path of ['webhooks', 'entregas-webhook']) await send(admin, 'GET', `/institucional/${path}`);
  const password = canary('new password');
  await send(once, 'PUT', '/auth/senha', { username: 'tecnico', password });
  await send(admin, 'PUT', '/auth/senha', { username: 'nobody', password: canary('password of nobody') });
  await send(admin, 'PUT', '/auth/senha', { username: 'tecnico', password: canary('too long').repeat(40) });
  await ask(
    admin,
    `mutation { alterarSenha(input: { username: "docente", password: "${canary('new password')}" }) { id } }`,
  );
  const again = await system.post('/auth/login', { username: 'tecnico', password });
  expect(again.status).toBe(200);
  given('token', again.body.token);
  return admin;
}

/** Codes and passwords of managerial accounts. */
export async function managerialAccounts({ canary, given, send }: Canaries, admin: Client): Promise<void> {
  const users = '/institucional/usuarios-ldap';
  const mail = (name: string) => `${name}@universidade.example`;
  const code = await admin.put(`${users}/${mail('dep.fisica')}?gerarCodigoCvr=true`);
  const cvr = given('CVR code', (code.body.codigo ?? code.body.codigo_cvr) as string);
  given('CVR code without dashes', cvr.replaceAll('-', ''));
  const attach = `${users}/${mail('discente')}?adicionarContaGerencial`;
  await send(admin, 'PUT', `${attach}Cvr=${mail('dep.fisica')}`, { cvr: canary('wrong code') });
  await send(admin, 'PUT', `${attach}Cvr=${mail('dep.fisica')}`, { cvr });
  await send(admin, 'PUT', `${attach}Senha=${mail('reitoria')}`, {
    senha: canary('wrong password of an account'),
  });
  await send(admin, 'PUT', `${attach}Senha=${mail('reitoria')}`, { senha: { of: canary('wrong password') } });
  await send(admin, 'PUT', `${attach}Senha=${canary('password in an address')}`, { senha: 'x' });
}

/** Errors of all dependencies of the service. */
export async function withoutWhatItDependsOn(
  { canary, given, send, ask }: Canaries,
  client: Client,
  sql: (text: string) => Promise<unknown>,
): Promise<void> {
  const system = client.with(systemHeaders);
  await send(system, 'POST', '/auth/login', {
    username: 'nobody',
    password: canary('password while LDAP is away'),
  });
  const { body } = await system.post('/auth/login', { username: 'admin', password: demoPassword('admin') });
  const admin = system.with({ token: given('token', body.token) });
  await send(admin, 'GET', '/institucional/usuarios-ldap');
  await send(admin, 'GET', '/readyz');
  await send(admin, 'GET', '/arquivosdigitais/arquivos-digitais/1');
  await sql('alter table sessao rename to elsewhere');
  await ask(
    admin,
    `mutation { alterarSenha(input: { username: "docente", password: "${canary('while a table is gone')}" }) { id } }`,
  );
  await sql('alter table elsewhere rename to sessao');
  await sql(
    `create function broken() returns trigger language plpgsql as $$ begin
       raise exception 'broken' using detail = 'Failing row contains ' || new::text;
     end $$;
     create trigger broken before insert or update on credencial for each row execute function broken();
     create trigger broken before insert or update on sessao for each row execute function broken()`,
  );
  await send(admin, 'PUT', '/auth/senha', {
    username: 'tecnico',
    password: canary('while the database fails'),
  });
  await send(system, 'POST', '/auth/login', { username: 'docente', password: demoPassword('docente') });
}
