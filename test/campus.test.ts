import { afterAll, beforeAll, expect, it } from 'vitest';
import { teachingPlans } from '../src/demo/campus/academic.ts';
import { Random } from '../src/demo/campus/random.ts';
import { campusSize } from '../src/demo/campus/size.ts';
import { Client, systemHeaders } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses, type Run } from './support/process.ts';

/** What the monthly map needs to know. */
const INSTITUTION = {
  INSTITUTION_CNPJ: '11222333000181',
  INSTITUTION_PURPOSE: '2',
  INSTITUTION_TZ: 'America/Sao_Paulo',
};
const processes = useProcesses(afterAll);
let environment: NodeJS.ProcessEnv;
let drop: () => Promise<void>;
let first: { code: number | null };
let seeded: Run;
let admin: Client;

beforeAll(async () => {
  await build();
  const database = await cloneDatabase();
  drop = database.drop;
  environment = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...INSTITUTION };
  seeded = processes.command('seed-campus', environment, ['--scale', '0.002']);
  first = await seeded.exited;
  admin = (await (await processes.service(environment).client()).login('admin')).with(systemHeaders);
});
afterAll(() => drop());

const total = async (path: string): Promise<number> => {
  const { status, body } = await admin.get(`${path}pagination=true&itemsPerPage=1`);
  expect(status).toBe(200);
  return body.total as number;
};

it('reports what it has made', () => {
  expect([first.code, seeded.stderr]).toEqual([0, expect.stringContaining('movimentacoes: 600, ')]);
  expect(seeded.stdout).toMatch(/at scale 0.002 was added to the demo in \d+ s:\n/);
  for (const made of [
    'pessoas: 80',
    'vinculos-discente: 120',
    'atividades-curriculo-discente: 1200',
    'logins: 120',
  ])
    expect(seeded.stdout).toContain(`  ${made}, `);
});

it('adds to the demo what a university of this size has', async () => {
  const storeroom = '/almoxarifadoquimicos';
  expect(await total(`${storeroom}/materiais?`)).toBe(60 + 40);
  expect(await total(`${storeroom}/movimentacoes-estoque?`)).toBeGreaterThan(1_545 + 600 - 1);
  expect(await total(`${storeroom}/movimentacoes-estoque?pendentesAprovacao=true&`)).toBe(8 + 5);
  expect(await total('/relatorios/planos-ensino/planos-cadastrados?')).toBeGreaterThan(6 * 8);
  expect((await admin.get('/institucional/usuarios-ldap')).body.total).toBeGreaterThan(80);
});

it('makes the same records each time', async () => {
  const query = '{ usuarioDiretorio(email: "d000001@universidade.example") { nome employeetype } }';
  expect((await admin.graphql(query)).data.usuarioDiretorio).toEqual({
    nome: 'José Meireles e Nogueira',
    employeetype: '63058124112',
  });
});

it('gives its people access', async () => {
  const teacher = await new Client(admin.url).login('d000002', 'demo-campus-2026');
  const { data } = await teacher.graphql('{ planosEnsino { total data { nomeDisciplina } } }');
  expect(data.planosEnsino.total).toBeGreaterThan(0);
});

it.each(['2027-01-10', '2027-02-20', '2027-09-30'])('made on %s, has no plan at a later step', today => {
  const { plans, workflow } = teachingPlans(new Random(1), campusSize(0.02), today, 0);
  const last = new Map([...plans()].slice(1).map(cells => [cells[0], cells[8]]));
  expect(last.size).toBe(60);
  for (const [code, , , , step, moment] of [...workflow()].slice(1)) {
    expect(String(moment) < today).toBe(true);
    if (step === last.get(code)) last.delete(code);
  }
  // Plans without steps are still being written.
  for (const step of last.values()) expect(step).toBe('Elaboração pelo docente');
});

it('keeps a ledger that adds up', async () => {
  const verified = processes.command('ledger-verify', environment);
  expect((await verified.exited).code).toBe(0);
  expect(verified.stdout).toMatch(/^All \d+ cells of stock match their \d+ movements/);
});

it('has no gaps in the data of controlled materials, so a month can be closed', async () => {
  // The last month that is over where the institution is.
  const today = new Date().toLocaleDateString('sv', { timeZone: INSTITUTION.INSTITUTION_TZ });
  const [year, month] = today.split('-').map(Number) as [number, number];
  const [ano, mes] = month === 1 ? [year - 1, 12] : [year, month - 1];
  const closed = await admin.post('/almoxarifadoquimicos/mapa-mensal/fechar', {
    ano,
    mes,
    ciente_pendencias: true,
  });
  expect([closed.status, closed.body]).toEqual([200, expect.objectContaining({ ano, mes })]);
  const { body } = await admin.get(`/almoxarifadoquimicos/mapa-mensal?ano=${ano}&mes=${mes}`);
  expect(body.consumos.length).toBeGreaterThan(0);
});

it('is added once, and to nothing but the demo', async () => {
  const again = processes.command('seed-campus', environment, ['--scale', '0.002']);
  expect((await again.exited).code).toBe(1);
  expect(again.stderr).toContain('a campus already, or a part of one whose creation was interrupted');
});

it.each(['0', '2', 'much'])('refuses the scale %s', async scale => {
  const refused = processes.command('seed-campus', environment, ['--scale', scale]);
  expect((await refused.exited).code).toBe(1);
  expect(refused.stderr).toContain('Usage: npm run seed:campus');
});
