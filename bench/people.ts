import type { Client } from 'pg';
import { demoPassword } from '../src/demo/login.ts';

/** The password of everybody in a bench's database. */
export const PASSWORD = demoPassword('admin');

/** Gives everybody the administrator's password, hash and all. */
const PASSWORDS = `
insert into credencial (id_pessoa, senha_hash, alterado_em)
select p.id, (select c.senha_hash from credencial c join pessoa a on a.id = c.id_pessoa where a.usuario = 'admin'), now()
from pessoa p
on conflict (id_pessoa) do update set senha_hash = excluded.senha_hash`;

const USERS = `
select p.usuario from pessoa p join acesso_ambiente a on a.id_pessoa = p.id and a.situacao = 'A'
where p.situacao = 'A' order by p.id`;

export async function fillPasswords(client: Client): Promise<void> {
  await client.query(PASSWORDS);
}

/** The user names of everybody who may log in. */
export async function readUsers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ usuario: string }>(USERS);
  return rows.map(row => row.usuario);
}
