import { createHash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type { Request, Response } from 'express';
import { inTransaction, query } from './baseline-pool.ts';
import * as sql from './baseline-login-sql.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const HOURS = 12;

interface Person {
  id: number;
  nome: string;
  email: string;
  senha_hash: string;
}

/** A session and what is told with it, in one transaction. */
const open = (person: Person, idSistema: number, req: Request) =>
  inTransaction(async client => {
    await query(sql.sayWho, [String(person.id), String(idSistema), req.ip], client);
    const isStill = await query(sql.isStill, [person.id, person.senha_hash], client);
    if (isStill.rows.length === 0) return undefined;
    const token = randomBytes(32).toString('base64url');
    const values = [person.id, idSistema, digest(token), req.get('appversion'), req.ip, HOURS];
    const session = await query(sql.openSession, values, client);
    const profiles = await query(sql.profiles, [person.id], client);
    return { token, expiraEm: session.rows[0].expira_em as Date, profiles: profiles.rows };
  });

/** Checks the system's key and the password, and opens a session. */
export async function logIn(req: Request, res: Response): Promise<void> {
  const { username, password } = req.body as { username?: unknown; password?: unknown };
  if (typeof username !== 'string' || typeof password !== 'string')
    return void res.status(422).json({ code: 'VALIDATION_FAILED' });
  const [system] = (await query(sql.system, [req.get('app-name'), digest(req.get('api-key') ?? '')])).rows;
  if (!system) return void res.status(401).json({ code: 'UNAUTHENTICATED' });
  const user = username.trim().toLowerCase();
  const pair = digest(`${user} ${req.ip}`);
  const reserved = await query(sql.reserve, [digest(user), pair, digest(req.ip ?? '')]);
  const id = reserved.rows[0].reservada as string | null;
  if (id === null) return void res.status(429).json({ code: 'RATE_LIMITED' });
  const [person] = (await query(sql.person, [user])).rows as Person[];
  const opened =
    person && (await verify(person.senha_hash, password)) && (await open(person, system.id, req));
  if (!opened) {
    await query(sql.failed, [id]);
    return void res.status(401).json({ code: 'UNAUTHENTICATED' });
  }
  await query(sql.right, [id, pair]);
  const { token, expiraEm, profiles } = opened;
  res.json({
    token,
    expira_em: expiraEm,
    pessoa: { id: person.id, nome: person.nome, email: person.email },
    sistema: { id: system.id, sigla: system.sigla },
    perfis: profiles.map(({ id, nome }) => ({ id, nome })),
    sistemas: systemsOf(profiles),
  });
}

function systemsOf(profiles: Record<string, unknown>[]): object[] {
  const systems = new Map(
    profiles.map(row => [row['s_id'], { id: row['s_id'], sigla: row['s_sigla'], nome: row['s_nome'] }]),
  );
  return [...systems.values()];
}
