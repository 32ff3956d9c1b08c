import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/rest/routes.ts';
import type { Client } from './support/client.ts';
import { systemHeaders } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';
import { readThrough } from './support/statements.ts';

const MANY = 12_000;
const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
const sessions = '/permissoes/autenticacoes';
let admin: Client;

beforeAll(async () => {
  admin = (await service().as('admin')).with(systemHeaders);
  await service().sql(
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select 'Reagente ' || lpad(n::text, 6, '0'), 'às vezes', 'S', 1 from generate_series(1, $1::int) n`,
    [MANY],
  );
  await service().sql(
    `insert into risco_material (id_material, id_classificacao_risco)
     select id, 1 from material where titulo like 'Reagente %' and id % 2 = 0`,
  );
  await service().sql(
    `insert into sessao (token_hash, id_pessoa, id_sistema, endereco, expira_em, encerrada_em)
     select sha256(n::text::bytea), 1, 1, '192.0.2.1', now(), now() from generate_series(1, $1::int) n`,
    [MANY],
  );
});

/** An answer whose client may read as slowly as the test wants. */
async function open(path: string): Promise<IncomingMessage> {
  const request = get(service().url + path, { headers: admin.headers });
  request.once('response', () => request.on('error', () => undefined));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Until the test ends, the statements of the service go through `rows`. */
function intercept(rows: Parameters<typeof readThrough>[1]): void {
  restore = readThrough(service(), rows);
}
let restore: (() => void) | undefined;
afterEach(() => {
  restore?.();
  restore = undefined;
});

/** Whether the statement reads a part of the materials by their keys. */
const isPart = (text: string): boolean => / from "material" t .*t\."id" = any\(\$\d\)/.test(text);

describe('a whole list', () => {
  it('of logins is answered, however many there were', async () => {
    const { status, headers, body } = await admin.get(sessions);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('etag')).toBeNull();
    const { data, ...others } = body;
    expect(data.length).toBeGreaterThan(MANY);
    const [[count]] = (await service().sql('select count(*)::int from sessao')) as [[number]];
    expect(others).toEqual({ total: count, page: 1, itemsPerPage: count, totalPages: 1 });
    expect(data).toHaveLength(count);
    expect(data.map(({ id }: { id: number }) => id)).toEqual(
      data.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b),
    );
  });

  it('has the filtered records in their order, each as on a page', async () => {
    const query = 'titulo=reagente&orderByTitulo=desc';
    const { data } = (await admin.get(`${materials}?${query}`)).body;
    expect(data.map(({ titulo }: { titulo: string }) => titulo)).toEqual(
      Array.from({ length: MANY }, (_, i) => `Reagente ${String(MANY - i).padStart(6, '0')}`),
    );
    expect(data.filter(({ riscos }: { riscos: object[] }) => riscos.length === 1)).toHaveLength(MANY / 2);
    for (const page of [1, 7, 12]) {
      const paged = await admin.get(`${materials}?${query}&pagination=true&itemsPerPage=1000&page=${page}`);
      expect(paged.body.data).toEqual(data.slice((page - 1) * 1_000, page * 1_000));
    }
  });

  it('begins before all of it is read', async () => {
    let parts = 0;
    intercept((read, text, ...rest) => {
      if (isPart(text)) parts += 1;
      return read(text, ...rest);
    });
    const response = await open(materials);
    expect(parts).toBeLessThan(5);
    const { data } = (await json(response)) as { data: object[] };
    expect(data.length).toBeGreaterThan(MANY);
    expect(parts).toBeGreaterThan(MANY / 100);
  });

  it('holds no connection and no turn while its client does not read', async () => {
    const open10 = await Promise.all(Array.from({ length: 10 }, () => open(materials)));
    const pool = await service().services.orm.em.getConnection().getNativeClient();
    await eventually(() => expect(pool.idleCount).toBe(pool.totalCount));
    expect((await admin.get(`${materials}/1`)).status).toBe(200);
    for (const response of open10) response.destroy();
  });

  it('leaves connections to others, however many are read at a time', async () => {
    let reading = 0;
    let most = 0;
    intercept(async (read, text, ...rest) => {
      if (!isPart(text)) return read(text, ...rest);
      most = Math.max(most, (reading += 1));
      try {
        return await read(text, ...rest);
      } finally {
        reading -= 1;
      }
    });
    const lists = await Promise.all(
      Array.from({ length: 6 }, () => admin.get(`${materials}?titulo=reagente`)),
    );
    for (const { status, body } of lists) expect([status, body.total]).toEqual([200, body.data.length]);
    expect(most).toBe(2);
  });

  it('has no record twice, and none that was deleted meanwhile', async () => {
    let parts = 0;
    intercept(async (read, text, ...rest) => {
      if (isPart(text) && (parts += 1) === 5) {
        await read(`update material set titulo = 'Zumbi ' || titulo where titulo = 'Reagente 000001'`, []);
        await read(`delete from material where titulo = 'Reagente 011999'`, []);
      }
      return read(text, ...rest);
    });
    const { data, total } = (await admin.get(`${materials}?descricao=vezes&orderByTitulo=asc`)).body;
    expect(data).toHaveLength(MANY - 1);
    expect(total).toBe(MANY - 1);
    expect(new Set(data.map(({ id }: { id: number }) => id)).size).toBe(MANY - 1);
    await service().sql(`update material set titulo = 'Reagente 000001' where titulo like 'Zumbi%'`);
  });

  it('no longer has a record that left the list before its part was read', async () => {
    let parts = 0;
    intercept(async (read, text, ...rest) => {
      if (isPart(text) && (parts += 1) === 5)
        await read(`update material set descricao = 'nunca' where titulo = 'Reagente 011998'`, []);
      return read(text, ...rest);
    });
    const { data } = (await admin.get(`${materials}?descricao=vezes&orderByTitulo=asc`)).body;
    expect(data).toHaveLength(MANY - 2);
  });

  it('that fails before its first byte is an error', async () => {
    intercept((read, text, ...rest) =>
      isPart(text) ? Promise.reject(new Error('broken')) : read(text, ...rest),
    );
    expectProblem(await admin.get(materials), 500, 'INTERNAL');
  });

  it('that fails later breaks off', async () => {
    let parts = 0;
    intercept((read, text, ...rest) =>
      isPart(text) && (parts += 1) > 3 ? Promise.reject(new Error('broken')) : read(text, ...rest),
    );
    const response = await open(materials);
    expect(response.statusCode).toBe(200);
    await expect(json(response)).rejects.toThrow('aborted');
    expect(parts).toBe(4);
  });

  it('is read no further when its client has left', async () => {
    let parts = 0;
    intercept((read, text, ...rest) => {
      if (isPart(text)) parts += 1;
      return read(text, ...rest);
    });
    const response = await open(materials);
    response.destroy();
    await eventually(async () => {
      const before = parts;
      await new Promise(resolve => setTimeout(resolve, 100));
      expect(parts).toBe(before);
    });
    expect(parts).toBeLessThan(MANY / 500);
  });

  it('answers HEAD without its records', async () => {
    const { headers } = admin;
    const response = await fetch(service().url + materials, { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is refused past the cap before its first byte, with advice that the operation can follow', async () => {
    const { limits } = service().services.listing;
    const before = limits.unpaginatedRows;
    limits.unpaginatedRows = MANY;
    try {
      const refused = [await admin.get(sessions), await admin.get(materials)];
      for (const answer of refused) expectProblem(answer, 422, 'RESULT_TOO_LARGE');
      const [ofSessions, ofMaterials] = refused.map(({ body }) => body.detail as string);
      expect(ofSessions).toMatch(/pagination=true/);
      expect(ofSessions).not.toMatch(/export/);
      expect(ofMaterials).toMatch(/pagination=true.*export=true/);
      const paged = await admin.get(`${sessions}?pagination=true&itemsPerPage=5&page=3`);
      expect(paged.body.data).toHaveLength(5);
      limits.unpaginatedRows = MANY + 1_000;
      expect((await admin.get(sessions)).status).toBe(200);
    } finally {
      limits.unpaginatedRows = before;
    }
  });

  it('that was refused is not read again until something is written', async () => {
    const { limits } = service().services.listing;
    const before = limits.unpaginatedRows;
    const [[count]] = (await service().sql('select count(*)::int from material')) as [[number]];
    limits.unpaginatedRows = count - 1;
    try {
      expectProblem(await admin.get(materials), 422, 'RESULT_TOO_LARGE');
      let reads = 0;
      intercept((read, text, ...rest) => {
        if (text.includes('from "material"')) reads += 1;
        return read(text, ...rest);
      });
      expectProblem(await admin.get(materials), 422, 'RESULT_TOO_LARGE');
      expect(reads).toBe(0);
      // The result of one list says nothing about another one.
      expect((await admin.get(`${materials}?titulo=acido`)).status).toBe(200);
      await service().sql(`delete from material where titulo = 'Reagente 011990'`);
      expect((await admin.get(materials)).body.total).toBe(count - 1);
    } finally {
      limits.unpaginatedRows = before;
    }
  });

  it('of a report has each row once, also if the order changes after its first rows were read', async () => {
    const { limits } = service().services.listing;
    const before = limits.request;
    const path = '/relatorios/planos-ensino/planos-situacao-tempo';
    const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
    const { data: whole } = (await admin.get(path)).body;
    const [first, last] = [whole.at(0).id, whole.at(-1).id];
    limits.request = { ...before, rows: 8 };
    try {
      let reads = 0;
      intercept((read, text, ...rest) => {
        if (text.includes('situacao_porcentagem')) reads += 1;
        return read(text, ...rest);
      });
      const { data, total } = (await admin.get(path)).body;
      expect([data, total]).toEqual([whole, whole.length]);
      // The first rows, the keys, and the other rows.
      expect(reads).toBe(2 + Math.ceil((whole.length - 7) / 7));
      intercept(async (read, text, ...rest) => {
        const rows = await read(text, ...rest);
        if (text.includes('limit 8'))
          await service().sql('update plano_ensino set ano = ano + 5 where id = $1', [last]);
        return rows;
      });
      const changed = idsOf((await admin.get(path)).body.data);
      expect(changed.slice(0, 2)).toEqual([last, first]);
      expect(changed.toSorted((a, b) => a - b)).toEqual(idsOf(whole).toSorted((a, b) => a - b));
    } finally {
      limits.request = before;
    }
  });

  it('of digital files keeps what is added to each file', async () => {
    const { limits } = service().services.listing;
    const before = limits.itemsPerPage;
    const path =
      '/arquivosdigitais/arquivos-digitais?apenasInformacao=true&verificarArquivos=true&itemsPerPage=2';
    const whole = await admin.get(path);
    expect(whole.body.data[3].existe).toBe(true);
    limits.itemsPerPage = 2;
    try {
      expect((await admin.get(path)).body).toEqual(whole.body);
    } finally {
      limits.itemsPerPage = before;
    }
  });
});

describe('every list of the service', () => {
  const lists = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

  it.each(lists.map(({ path }) => path))('%s is the same in parts as at once', async path => {
    const { limits } = service().services.listing;
    const before = limits.itemsPerPage;
    const narrow = path === materials || path === sessions ? '?pagination=true' : '';
    const whole = await admin.get(path + narrow);
    if (whole.status !== 200 || !whole.body.data) return;
    limits.itemsPerPage = 10;
    try {
      const { status, body } = await admin.get(path + narrow);
      expect(status).toBe(200);
      expect(body).toEqual(whole.body);
    } finally {
      limits.itemsPerPage = before;
    }
  });
});
