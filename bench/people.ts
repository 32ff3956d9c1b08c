import { hash } from '@node-rs/argon2';
import type { Client } from 'pg';
import { digest } from '../src/access/secrets.ts';
import { demoPassword } from '../src/demo/login.ts';

/** The password of everybody in a bench's database. */
export const PASSWORD = demoPassword('admin');

/** The least that argon2id allows, so that a login shows what everything but the hash costs. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Gives everybody the administrator's password: every second person gets the hash $1, the others the administrator's. */
const PASSWORDS = `
insert into credencial (id_pessoa, senha_hash, alterado_em)
select p.id, case when p.id % 2 = a.id % 2 then c.senha_hash else $1 end, now()
from pessoa p, pessoa a join credencial c on c.id_pessoa = a.id where a.usuario = 'admin'
on conflict (id_pessoa) do update set senha_hash = excluded.senha_hash`;

const USERS = `
select p.usuario, p.id % 2 = (select id % 2 from pessoa where usuario = 'admin') as usual
from pessoa p join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
where p.situacao = 'A' order by p.id`;

/** The user names of everybody who may log in, by what their password's hash costs. */
export interface Users {
  usual: string[];
  cheap: string[];
}

export async function fillPasswords(client: Client): Promise<void> {
  await client.query(PASSWORDS, [await hash(PASSWORD, CHEAP)]);
}

export async function readUsers(client: Client): Promise<Users> {
  const { rows } = await client.query<{ usuario: string; usual: boolean }>(USERS);
  const names = (usual: boolean): string[] => rows.filter(row => row.usual === usual).map(row => row.usuario);
  return { usual: names(true), cheap: names(false) };
}

/** Somebody who is logged in and may do everything, at an address of their own. */
export interface Caller {
  username: string;
  token: string;
  address: string;
}

/** People $1 to $2 with the rights and the password of the administrator, and their sessions. */
const CALLERS = `
with person as (
  insert into pessoa (nome, email, usuario)
  select 'Pessoa ' || name, name || '@bench.example', name from unnest($1::text[]) name returning id, usuario
), entering as (insert into acesso_ambiente (id_pessoa, situacao) select id, 'A' from person),
admin as (select id from pessoa where usuario = 'admin'),
secret as (
  insert into credencial (id_pessoa, senha_hash, alterado_em)
  select p.id, (select c.senha_hash from credencial c join admin a on a.id = c.id_pessoa), now() from person p
),
granted as (
  insert into permissao (id_pessoa, id_perfil, situacao)
  select p.id, g.id_perfil, 'A' from person p, permissao g join admin a on a.id = g.id_pessoa where g.situacao = 'A'
)
insert into sessao (token_hash, id_pessoa, id_sistema, endereco, expira_em)
select digest, p.id, (select id from sistema where sigla = 'SII'), '127.0.0.1', now() + interval '8 hours'
from person p join unnest($1::text[], $2::bytea[]) as given (name, digest) on given.name = p.usuario`;

/** Adds so many people who use the service at the same time. */
export async function fillCallers(client: Client, count: number): Promise<Caller[]> {
  const callers = Array.from({ length: count }, (_, i) => ({
    username: `caller-${i}`,
    token: `token-of-caller-${i}`,
    address: `198.18.${i >> 8}.${i % 256}`,
  }));
  await client.query(CALLERS, [
    callers.map(({ username }) => username),
    callers.map(({ token }) => digest(token)),
  ]);
  return callers;
}
