import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { legacyDate } from '../src/rest/legacy-date.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const store = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };
const material = { titulo: 'T', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L', ...authors };

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

const made = async (body: object) => {
  const answer = await admin.post(`${store}/materiais`, { ...material, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Record<string, unknown>;
};

describe('in a body', () => {
  it.each([
    [7, '7'],
    [-1.5, '-1.5'],
    [9007199254740991, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
  ])('the text that is sent as %j is %j', async (sent, kept) => {
    expect(await made({ descricao: sent, numero_cas: sent })).toMatchObject({
      descricao: kept,
      numero_cas: kept,
    });
  });

  it.each([[['a']], [{ a: 1 }]])('%j is not a text', async sent => {
    const answer = await admin.post(`${store}/materiais`, { ...material, descricao: sent });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['descricao']);
  });

  it('a number that has lost digits in JSON is not a text', async () => {
    const json = JSON.stringify({ ...material, descricao: 0 }).replace(
      '"descricao":0',
      '"descricao":12345678901234567891',
    );
    const headers = { 'content-type': 'application/json' };
    const answer = await admin.raw(`${store}/materiais`, { method: 'POST', body: json, headers });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['descricao']);
  });

  it('a number in a text is that number, in lists too', async () => {
    const riscos = [{ id_classificacao_risco: '2' }];
    const { id } = await made({ id_unidade_medida: '1', riscos });
    const risks = 'select id_classificacao_risco from risco_material where id_material = $1';
    expect(await service().sql(risks, [id])).toEqual([[2]]);
  });

  it('an empty text is null for an optional text, number or reference', async () => {
    const empty = { fispq: '', link_fispq: '', numero_cas: '', id_tipo_controle: '' };
    expect(await made(empty)).toMatchObject({
      fispq: null,
      link_fispq: null,
      numero_cas: null,
      id_tipo_controle: null,
    });
  });

  it('an empty text clears a text and keeps a reference', async () => {
    const { id } = await made({ fispq: 'F', id_tipo_controle: 1 });
    const changed = { ...material, fispq: '', id_tipo_controle: '' };
    const answer = await admin.put(`${store}/materiais/${id as number}`, changed);
    const untouched = await admin.put(`${store}/materiais/${id as number}`, material);
    expect(answer).toMatchObject({ status: 200, body: { fispq: null } });
    expect(answer.body.id_tipo_controle).toBe(untouched.body.id_tipo_controle);
  });

  it('an empty text counts as missing for a required field', async () => {
    const answer = await admin.post(`${store}/materiais`, { ...material, titulo: '', id_unidade_medida: '' });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer).toSorted()).toEqual(['id_unidade_medida', 'titulo']);
  });

  it('an empty date is null, and a date with a time is the day at the institution', async () => {
    let id_local = 1;
    const until = async (data_fim: string) =>
      (await admin.post(`${store}/responsaveis-laboratorio`, { id_local: id_local++, data_fim, ...authors }))
        .body.data_fim;
    expect(await until('')).toBeNull();
    expect(await until('31/12/2029')).toBe('2029-12-31');
    expect(await until('2029-12-31T02:59:59.999Z')).toBe('2029-12-30');
  });

  it.each([
    ['materiais', 'material'],
    ['classificacoes-risco', 'classificacao_risco'],
    ['riscos-material', 'risco_material'],
    ['empresas', 'empresa'],
    ['icones-risco', 'icone_risco'],
    ['tipos-empresas', 'tipo_empresa'],
    ['lotes', 'lote'],
    ['notas-fiscais', 'nota_fiscal'],
  ])(
    'what was read of a record without authors, as an import makes it, may be sent back: %s',
    async (name, table) => {
      const [row] = await service().sql(`select min(id) from ${table}`);
      await service().sql(`update ${table} set criado_por = null, alterado_por = null where id = $1`, row);
      const path = `${store}/${name}/${row![0] as number}`;
      const { body: before } = await admin.get(path);
      expect(before).toMatchObject({ criado_por: null, alterado_por: null });
      expect((await admin.put(path, before)).status).toBe(200);
      const changed = { alterado_por: expect.any(Number), alterado_em: expect.any(String) };
      expect((await admin.get(path)).body).toEqual({ ...before, ...changed });
    },
  );

  it('GraphQL accepts none of these forms', async () => {
    const mutation = `mutation($input: MaterialInput!) { criarMaterial(input: $input) { id } }`;
    const input = {
      titulo: 'T',
      descricao: 7,
      idUnidadeMedida: '1',
      estadoFisico: 'LIQUIDO',
      criadoPor: 1,
      alteradoPor: 1,
    };
    const { errors } = await admin.graphql(mutation, { input });
    expect(errors?.length).toBeGreaterThan(0);
  });
});

describe('in a query', () => {
  const files = '/arquivosdigitais/arquivos-digitais';

  it.each([
    'idsDosArquivos=1&idsDosArquivos=2',
    'idsDosArquivos[]=1&idsDosArquivos[]=2',
    'idsDosArquivos[0]=1&idsDosArquivos[1]=2',
    'idsDosArquivos=1,2',
    'idsDosArquivos[]=1,2',
    'idsDosArquivos%5B%5D=1&idsDosArquivos%5B%5D=2',
    'idsDosArquivos=1&idsDosArquivos[]=2',
  ])('%s asks for two files', async query => {
    const { body } = await admin.with(systemHeaders).get(`${files}?apenasInformacao=true&${query}`);
    expect(body.data.map((file: { id: number }) => file.id)).toEqual([1, 2]);
  });

  it('a list with something that is not a number is refused, whatever its form', async () => {
    for (const query of ['idsDosArquivos[]=1&idsDosArquivos[]=x', 'idsDosArquivos=1,x']) {
      const answer = await admin.with(systemHeaders).get(`${files}?${query}`);
      expectProblem(answer, 400, 'BAD_REQUEST');
      expect(fieldsOf(answer)).toEqual(['idsDosArquivos[1]']);
    }
  });

  it('a filter may have the form of a list, and is not applied twice', async () => {
    const plain = await admin.get(`${store}/materiais?titulo=acetona&pagination=true`);
    const listed = await admin.get(`${store}/materiais?titulo[]=acetona&pagination=true`);
    expect(listed.body).toEqual(plain.body);
    const twice = await admin.get(`${store}/materiais?titulo[]=acetona&titulo[]=etanol`);
    expectProblem(twice, 400, 'BAD_REQUEST');
    expect(fieldsOf(twice)).toEqual(['titulo']);
  });

  it.each(['true', 'TRUE', '1', 'True'])('%s is true', async value => {
    expect((await admin.get(`${store}/materiais?pagination=${value}`)).body).toHaveProperty('total');
  });

  it.each(['', 'sim', 'yes', '2', 'on'])('"%s" is neither true nor false', async value => {
    expectProblem(await admin.get(`${store}/materiais?pagination=${value}`), 400, 'BAD_REQUEST');
  });

  it('a date may have every form, and an empty one counts as absent', async () => {
    const of = async (day: string) =>
      (await admin.get(`${store}/notas-fiscais?pagination=true&dataEmissao=${encodeURIComponent(day)}`)).body
        .total as number;
    const [[day]] = (await service().sql(
      `select data_emissao::text from nota_fiscal order by 1 limit 1`,
    )) as [[string]];
    const [y, m, d] = day.split('-') as [string, string, string];
    const forms = [day, `${y}/${m}/${d}`, `${d}/${m}/${y}`, `${d}/${m}/${y} 23:59`, `${day}T12:00:00-03:00`];
    const totals = await Promise.all([...forms.map(of), of('')]);
    expect(totals[0]).toBeGreaterThan(0);
    expect(new Set(totals.slice(0, -1)).size).toBe(1);
    expect(totals.at(-1)).toBeGreaterThan(totals[0]);
  });
});

describe('a report for an authority', () => {
  const reports = '/relatorios/almoxarifado-quimicos';
  it.each([
    ['materiais-controlados', 'org_controlador=x', 'org_controlador', 'org_coontrolador'],
    ['materiais-controlados', 'pdf=true&idMaterial=1', 'idMaterial', 'id_material'],
    [
      'movimentacoes-materiais-controlados',
      'dt_periodo_incial=2026-01-01',
      'dt_periodo_incial',
      'dt_periodo_inicial',
    ],
  ])('%s?%s is refused, with the name that may be meant', async (name, query, field, meant) => {
    const answer = await admin.get(`${reports}/${name}?${query}`);
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(answer.body.errors).toEqual([{ field, message: `não é um parâmetro; talvez ${meant}` }]);
  });

  it('suggests no name for one that is similar to none', async () => {
    const { body } = await admin.get(`${reports}/materiais-controlados?xyzzy=1`);
    expect(body.errors).toEqual([{ field: 'xyzzy', message: 'não é um parâmetro' }]);
  });

  it('accepts all parameters that it knows', async () => {
    const query =
      'titulo=a&id_material=1&itemsPerPage=1&page=1&orderByTitulo=asc&formatoPlanilha=csv&orientacao=portrait&pdf=false';
    expect((await admin.get(`${reports}/materiais-controlados?${query}`)).status).toBe(200);
  });

  it('differs from other operations, which ignore unknown parameters', async () => {
    expect((await admin.get(`${store}/materiais?titullo=x`)).status).toBe(200);
  });
});

describe('a file that a path does not have', () => {
  it.each([
    [`${store}/unidades-medida?export=true&formatoPlanilha=xlsx`, 'export'],
    [`${store}/materiais/1?export=1`, 'export'],
    [`${store}/materiais?pdf=true`, 'pdf'],
    [`${store}/materiais?pdf=false&pdf=true`, 'pdf'],
    [`${store}/lotes?planilha=true`, 'planilha'],
    ['/relatorios/almoxarifado-quimicos/materiais-estocados?export=true', 'export'],
  ])('is refused, and not answered as JSON: %s', async (path, field) => {
    const answer = await admin.get(path);
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(answer.body.errors).toEqual([{ field, message: 'não é oferecido neste caminho' }]);
  });

  it('may be declined', async () => {
    expect((await admin.get(`${store}/unidades-medida?export=false&pdf=`)).status).toBe(200);
  });
});

describe('a parameter of a write', () => {
  const path = '/institucional/usuarios-ldap/biblioteca@universidade.example';
  it.each([
    ['SuspenderConta=true', {}, 'SuspenderConta'],
    ['suspenderConta[]=true&SUSPENDERCONTA=false', {}, 'SUSPENDERCONTA'],
    ['', { suspenderConta: true }, 'suspenderConta'],
  ])(
    'is not left out because of its case, or because it is in the body: %s %j',
    async (query, body, field) => {
      const answer = await admin.put(`${path}?editarContasGerenciais=true&${query}`, {
        descricao: 'X',
        ...body,
      });
      expectProblem(answer, 400, 'BAD_REQUEST');
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
      expect((await admin.get(path)).body.descricao).not.toBe('X');
    },
  );
});

describe('a date', () => {
  const zone = 'America/Sao_Paulo';
  const day = fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10));
  const two = (max: number) => fc.nat(max).map(n => String(n).padStart(2, '0'));
  const time = fc
    .tuple(
      fc.constantFrom('T', ' ', 't'),
      two(23),
      two(59),
      fc.constantFrom('', ':00', ':59.123', ':07.123456'),
    )
    .map(([blank, hours, minutes, rest]) => `${blank}${hours}:${minutes}${rest}`);

  it('is the same day in every form, with or without a time', () => {
    fc.assert(
      fc.property(day, fc.oneof(fc.constant(''), time), (iso, after) => {
        const [y, m, d] = iso.split('-');
        for (const form of [iso, `${y}/${m}/${d}`, `${d}/${m}/${y}`])
          expect(legacyDate(form + after, zone)).toBe(iso);
      }),
    );
  });

  it('that is a moment is its day in the time zone of the institution', () => {
    const moment = fc.date({ min: new Date('1000-01-03'), max: new Date('9998-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, shift) => {
        const [date, hours] = new Date(at.getTime() + shift * 60_000)
          .toISOString()
          .replace('Z', '')
          .split('T');
        const [y, m, d] = date!.split('-');
        const minutes = Math.abs(shift);
        const offset = `${shift < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
        for (const form of [
          `${date}T${hours}${offset}`,
          `${d}/${m}/${y} ${hours} ${offset.replace(':', '')}`,
          at.toISOString(),
        ])
          expect(legacyDate(form, zone)).toBe(local);
      }),
    );
  });

  it('is accepted if its plus became a blank in the URL', () => {
    expect(legacyDate('2026-11-20T01:00:00 02:00', 'Europe/Berlin')).toBe('2026-11-20');
    expect(legacyDate('2026-11-20T01:00:00 02:00', 'UTC')).toBe('2026-11-19');
  });

  it.each([
    '30/02/2026',
    '2026-13-01',
    '13/13/2026',
    '1/2/2026',
    '20-11-2026',
    '2026-11/20',
    '2026-11-20T24:30',
    '2026-11-20T10',
    '2026-11-20Z',
    '0000-01-01',
    '20/11/26',
    'ontem',
  ])('is not %s', text => expect(legacyDate(text, zone)).toBeUndefined());
});
