import type { Canaries } from './canaries.ts';
import { systemHeaders, type Client } from './client.ts';

/** Every way to log in, successfully or not. */
export async function logIns({ canary, hear, send, ask }: Canaries, client: Client): Promise<void> {
  const system = client.with(systemHeaders);
  const wrong = () => canary('wrong password');
  const LOGIN = 'mutation ($input: LoginInput!) { entrar(input: $input) { expiraEm } }';
  for (const [username, password] of [
    ['docente', wrong()],
    [canary('password in the place of the user name'), wrong()],
    ['docente', { password: wrong() }],
    ['docente', [wrong()]],
    ['docente', `${wrong()}\0`],
  ]) {
    await send(system, 'POST', '/auth/login', { username, password });
    await ask(system, LOGIN, { input: { username, password } });
  }
  await ask(system, LOGIN, { input: wrong() });
  for (const literal of [
    `{ username: "docente", password: "${wrong()}" }`,
    `{ username: "docente", password: ["${wrong()}"] }`,
    `{ username: "docente", password: { senha: "${wrong()}" } }`,
    `{ username: "docente", password: "${wrong()}", more: "${wrong()}" }`,
    `"${wrong()}"`,
    `{ username: "docente", password: "${wrong()}`,
    `{ username: "docente" password "${wrong()}" }`,
    `{ username: "docente", password: ${wrong()} }`,
  ])
    await ask(system, `mutation { entrar(input: ${literal}) { expiraEm } }`);
  const text = JSON.stringify({ username: 'docente', password: wrong() });
  for (const path of ['/auth/login', '/graphql'])
    for (const [type, body] of [
      ['application/json', text.slice(0, -12)],
      ['application/json', text.replace(':', '')],
      ['text/plain', text],
      ['application/json; charset=utf-99', text],
      ['application/x-www-form-urlencoded', `password=${wrong()}`],
    ] as const)
      await hear(system, path, { method: 'POST', body, headers: { 'content-type': type } });
  await send(system, 'POST', `/auth/login?password=${wrong()}`, {});
  await ask(client.with({ ...systemHeaders, 'api-key': canary('wrong key') }), '{ materiais { total } }');
  await send(client.with({ ...systemHeaders, 'api-key': canary('wrong key') }), 'POST', '/auth/login', {
    username: 'docente',
    password: wrong(),
  });
  for (const name of ['token', 'cookie', 'authorization', 'idempotency-key', 'x-api-key'])
    for (const path of ['/permissoes/sistemas', '/nowhere', '/graphql?query={__typename}'])
      await hear(client.with({ [name]: canary(`header ${name}`) }), path, {});
  for (const path of ['/permissoes/sistemas?token=', '/nowhere/', '/graphql?query={sessaoAtual{id}}&token='])
    await hear(client, `${path}${canary('secret in an address')}`, {});
}
