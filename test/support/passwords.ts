import { hash } from '@node-rs/argon2';
import { demoPassword } from '../../src/demo/login.ts';
import { sql } from './sql.ts';

/**
 * A hash in the format of the service, but with the least work, because tests log in thousands of times.
 * test/password-change.test.ts tests the hashes of the service itself.
 */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/**
 * Lets the role of a server log in with one round of hashing. The default is 4,096 on both sides for each connection,
 * and tests open thousands.
 */
export async function makeConnectionsQuick(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await sql(url, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

/** Replaces the hashes of the demo's passwords, without entries in the audit trail. */
export async function makeLoginsQuick(url: string): Promise<void> {
  const users = await sql(url, 'select id_pessoa, usuario from credencial join pessoa p on p.id = id_pessoa');
  const hashes = await Promise.all(
    (users as [number, string][]).map(async ([id, usuario]) => [id, await quickHash(demoPassword(usuario))]),
  );
  const values = hashes.map(([id, made]) => `(${id}, '${made}')`).join();
  await sql(
    url,
    `set session_replication_role = replica;
     update credencial set senha_hash = made from (values ${values}) as quick (id, made) where id_pessoa = quick.id`,
  );
}
