import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { Client as Database } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordList } from '../src/listing/list.ts';
import { isLongerThan } from '../src/listing/read.ts';
import { MAX_SHEET_ROWS } from '../src/reports/sheet.ts';
import { MateriaisArgs } from '../src/resolvers/almoxarifado/material.ts';
import type { Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService({ EXPORT_POOL: '2', MAX_UNPAGINATED_ROWS: '1000' });
const materials = '/almoxarifadoquimicos/materiais';
const formats = ['csv', 'xlsx'] as const;
let admin: Client;

beforeAll(async () => {
  admin = await service().as('admin');
  await service()
    .sql(`insert into material (titulo, descricao, estado_fisico, id_unidade_medida, criado_em, alterado_em)
    select 'Reagente ' || lpad(n::text, 6, '0'), repeat('descrição longa ', 20), 'S', 1, now(), now()
    from generate_series(1, 20000) n`);
});

/** An export whose client may read as slowly as the test wants. */
async function open(query: string, { headers } = admin): Promise<IncomingMessage> {
  const request = get(`${service().url}${materials}?export=true&${query}`, { headers });
  // If the connection fails after the answer has begun, the answer emits the error.
  request.once('response', () => request.on('error', () => {}));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const pool = () => service().services.exportPool;
const busy = () => pool().totalCount - pool().idleCount;

/** The statements of exports that are running in the database. */
async function atWork(): Promise<number> {
  const [row] = await service().sql(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return row![0] as number;
}

/** Statements that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await service().sql(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row![0] as number;
}

const allFree = () => eventually(async () => expect([busy(), await atWork()]).toEqual([0, 0]));

describe('an export', () => {
  it('is the whole filtered and ordered list, whatever page is asked for', async () => {
    const query = 'titulo=reagente&orderByTitulo=desc&pagination=true&page=2&itemsPerPage=5';
    const { status, headers, body } = await admin.get(`${materials}?${query}&export=1`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="materiais-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [header, ...lines] = (body as string).trimEnd().split('\r\n');
    expect(header).toMatch(/^\uFEFF?Código;Título;Descrição;/);
    expect(lines.map(line => line.split(';')[1])).toEqual(
      Array.from({ length: 20_000 }, (_, i) => `Reagente ${String(20_000 - i).padStart(6, '0')}`),
    );
  });

  it('is an xlsx when its format says so in any case', async () => {
    const response = await open('formatoPlanilha=XLSX&titulo=acido&orderByTitulo=asc');
    expect(response.headers['content-disposition']).toMatch(/\.xlsx"$/);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load((await buffer(response)).buffer);
    const titles = workbook.worksheets[0]!.getColumn(2).values.slice(1);
    const listed = await admin.get(`${materials}?titulo=acido&orderByTitulo=asc`);
    expect(titles).toEqual([
      'Título',
      ...listed.body.data.map((record: { titulo: string }) => record.titulo),
    ]);
  });

  it.each([
    ['export=maybe', 400, 'BAD_REQUEST'],
    ['export=', 400, 'BAD_REQUEST'],
    ['export=true&formatoPlanilha=ods', 400, 'BAD_REQUEST'],
    ['export=true&itemsPerPage=0', 400, 'BAD_REQUEST'],
    ['export=false', 422, 'RESULT_TOO_LARGE'],
  ])('with %s is answered %i', async (query, status, code) => {
    expect(await admin.get(`${materials}?${query}`)).toMatchObject({ status, body: { code } });
  });

  it('needs the permission of its list', async () => {
    const path = `${materials}?export=true`;
    expect(await service().anyone.get(path)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
    const discente = await service().as('discente');
    expect(await discente.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it.each(formats)('answers HEAD with its headers, and reads no rows: %s', async format => {
    const query = vi.spyOn(pool(), 'connect');
    const path = `${service().url}${materials}?export=true&formatoPlanilha=${format}`;
    const { status, headers } = await fetch(path, { method: 'HEAD', headers: admin.headers });
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain(`.${format}`);
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });

  it.each(formats)('frees its connection when the client leaves half-way: %s', async format => {
    const response = await open(`formatoPlanilha=${format}`);
    await once(response, 'readable');
    expect(busy()).toBe(1);
    response.destroy();
    await allFree();
  });

  it('that is too long for a sheet is refused before it begins, and works as csv', async () => {
    const { reader } = service().services.listing;
    const asked: unknown[] = [];
    const rows = reader.rows.bind(reader);
    vi.spyOn(reader, 'rows').mockImplementation(async (text, values) => {
      if (!text.startsWith('select exists')) return rows(text, values);
      asked.push(values.at(-1));
      return [[true]];
    });
    const connect = vi.spyOn(pool(), 'connect');
    onTestFinished(() => void vi.restoreAllMocks());
    const { status, body } = await admin.get(`${materials}?export=true&formatoPlanilha=xlsx`);
    expect({ status, ...body }).toMatchObject({ status: 422, code: 'RESULT_TOO_LARGE' });
    expect(body.detail).toContain('csv');
    expect(asked).toEqual([MAX_SHEET_ROWS]);
    expect(connect).not.toHaveBeenCalled();
    const csv = await admin.get(`${materials}?export=true&formatoPlanilha=csv&titulo=acido`);
    expect([csv.status, asked.length]).toEqual([200, 1]);
  });

  it('counts only its filtered rows against the limit', async () => {
    const args = Object.assign(new MateriaisArgs(), { titulo: 'reagente 00000' });
    const { listing } = service().services;
    expect(await isLongerThan(9, listing, recordList(args))).toBe(false);
    expect(await isLongerThan(8, listing, recordList(args))).toBe(true);
    expect(await isLongerThan(0, listing, recordList(args, { id: -1 }))).toBe(false);
  });

  it('frees its connection when the client leaves before PostgreSQL has a row for it', async () => {
    const blocker = new Database({ connectionString: service().databaseUrl });
    await blocker.connect();
    try {
      // Until this transaction ends nobody can read the table. That is longer than the export's limit.
      await blocker.query('begin; lock table material');
      const request = get(`${service().url}${materials}?export=true`, { headers: admin.headers });
      request.on('error', () => {});
      await eventually(async () => expect(await waiting()).toBe(1));
      request.destroy();
      await eventually(async () => expect([busy(), await waiting()]).toEqual([0, 0]));
    } finally {
      await blocker.end();
    }
    expect((await admin.get(`${materials}?export=true&titulo=acido`)).status).toBe(200);
  });

  it('that is one too many for a person is refused, however many come at once, and others get theirs', async () => {
    const path = `${materials}?export=true&titulo=reagente`;
    const stalled = await open('titulo=reagente');
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.get(path)));
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '10']);
      expect(body.detail).toContain('Você já tem 1');
    }
    expect((await (await service().as('almoxarife')).get(path)).status).toBe(200);
    stalled.destroy();
    await allFree();
    expect((await admin.get(path)).status).toBe(200);
  });

  it('that is one too many for the process is refused, and the others go on', async () => {
    const [almoxarife, tecnico] = await Promise.all([service().as('almoxarife'), service().as('tecnico')]);
    const stalled = [await open('titulo=reagente'), await open('titulo=reagente', almoxarife)];
    const path = `${materials}?export=true&titulo=reagente`;
    const { status, body, headers } = await tecnico.get(path);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '10']);
    for (const response of stalled) response.destroy();
    await allFree();
    expect((await tecnico.get(path)).status).toBe(200);
  });

  it('whose client does not read delays nobody else', async () => {
    const stalled = await open('titulo=reagente');
    const almoxarife = await service().as('almoxarife');
    const other = await almoxarife.get(`${materials}?export=true&titulo=reagente`);
    expect(other.status).toBe(200);
    expect((await admin.get(`${materials}/1`)).status).toBe(200);
    expect(busy()).toBe(1);
    stalled.destroy();
    await allFree();
  });

  it('that the database breaks off is not a complete file', async () => {
    const response = await open('titulo=reagente');
    await once(response, 'readable');
    const killed = await service().sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
       and backend_type = 'client backend'`,
    );
    expect(killed).toEqual([[true]]);
    await expect(buffer(response)).rejects.toThrow(/aborted|ECONNRESET/);
    await allFree();
  });
});
