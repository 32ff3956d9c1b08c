/**
 * Who may do what: every REST route and every query and mutation, called by every role, compared with spec/policy.json.
 * Its rows are `operation record: answers`, with the answers in the order of the roles: `ok`, or the status of the
 * error. 401 and 403 mean that the caller was refused. Every other answer means that the caller was admitted.
 *
 * After adding an operation, or changing who may call one, write the table again and read the differences:
 *
 *     WRITE_POLICY=1 npx vitest run test/policy.test.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { grant, makePerson, makeProfile, makeSession, personOf } from './support/permissions.ts';
import { graphqlCases, restCases, rootFieldsOf, type Case, type Subject } from './support/policy.ts';
import { useService } from './support/service.ts';

const service = useService();
const FILE = join(import.meta.dirname, 'spec/policy.json');

/** Each role with the demo user who has it; the auditor reads everything and writes nothing. */
const roles = {
  nobody: null,
  discente: 'discente',
  tecnico: 'tecnico',
  almoxarife: 'almoxarife',
  auditor: 'docente',
  admin: 'admin',
} as const;
type Role = keyof typeof roles;

type Table = Record<string, string>;

const clients = {} as Record<Role, Client>;
const subjects = {} as Record<Role, Subject>;
let found: Table;
let written: { before: number; after: number };

const addEndedSession = (idPessoa: number): Promise<number> =>
  makeSession(service(), idPessoa, `ended session of ${idPessoa}`, { ended: true });

/** Somebody who has none of the roles. */
async function makeForeigner(): Promise<Subject> {
  const usuario = 'outra-pessoa';
  const token = 'F'.repeat(43);
  const idPessoa = await makePerson(service(), usuario);
  await makeSession(service(), idPessoa, token);
  const idPerfil = await makeProfile(service(), { usuarios: [usuario] });
  return { usuario, idPessoa, idPerfil, token, idSessao: await addEndedSession(idPessoa) };
}

/** Logs in every role, with a profile of its own without permissions. A caller without a login owns nothing. */
async function prepare(foreigner: Subject): Promise<void> {
  await grant(service(), roles.auditor, { controller: null, nivel: 1 });
  const system = service().anyone.with(systemHeaders);
  for (const [role, usuario] of Object.entries(roles) as [Role, string | null][]) {
    clients[role] = usuario ? await system.login(usuario) : system;
    subjects[role] = usuario ? await subjectOf(usuario, clients[role]) : foreigner;
  }
}

async function subjectOf(usuario: string, { headers }: Client): Promise<Subject> {
  const idPessoa = await personOf(service(), usuario);
  const idPerfil = await makeProfile(service(), { usuarios: [usuario] });
  return { usuario, idPessoa, idPerfil, token: headers['token']!, idSessao: await addEndedSession(idPessoa) };
}

async function answersTo(cases: readonly Case[]): Promise<Table> {
  const rows: Table = {};
  for (const { name, ask } of cases) {
    const answers = (Object.keys(roles) as Role[]).map(role => ask(clients[role], subjects[role]));
    rows[name] = (await Promise.all(answers)).join(' ');
  }
  return rows;
}

const changes = async (): Promise<number> =>
  Number((await service().sql(`select count(*) from auditoria where operacao not like '%recusado'`))[0]![0]);

beforeAll(async () => {
  const foreigner = await makeForeigner();
  await prepare(foreigner);
  const schema = await createSchema();
  const cases: Case[] = [];
  for (const route of routes) cases.push(...(await restCases(schema, route, clients.admin, foreigner)));
  for (const kind of ['query', 'mutation'] as const)
    for (const field of rootFieldsOf(schema, kind)) cases.push(...graphqlCases(kind, field, foreigner));
  const isLeaving = ({ name }: Case) => name === 'mutation sair';
  const before = await changes();
  found = await answersTo(cases.filter(one => !isLeaving(one)));
  written = { before, after: await changes() };
  // Runs last, because it ends the sessions of the callers.
  Object.assign(found, await answersTo(cases.filter(isLeaving)));
  if (process.env['WRITE_POLICY']) await writeFile(FILE, `${JSON.stringify(found, null, 2)}\n`);
});

/** The answer of each cell, by the name of the cell. */
const cells = (table: Table): string[] =>
  Object.entries(table).flatMap(([name, answers]) =>
    answers.split(' ').map((answer, i) => `${Object.keys(roles)[i]}: ${name}: ${answer}`),
  );

describe('who may do what', () => {
  it('matches the table, in every cell', async () => {
    const expected = cells(JSON.parse(await readFile(FILE, 'utf8')) as Table);
    const actual = cells(found);
    const only = (some: string[], others: Set<string>) => some.filter(cell => !others.has(cell));
    expect({
      answered: only(actual, new Set(expected)),
      inTable: only(expected, new Set(actual)),
    }).toEqual({
      answered: [],
      inTable: [],
    });
  });

  it('was tested without changing anything', () => {
    expect(written.after).toBe(written.before);
  });

  it('is limited to callers with a token, except for the login', () => {
    const open = Object.keys(found).filter(name => !found[name]!.startsWith('401 '));
    expect(open).toEqual(['POST /auth/login', 'mutation entrar']);
  });
});
