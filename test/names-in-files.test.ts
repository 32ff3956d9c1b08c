import { randomBytes } from 'node:crypto';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessOf } from '../src/access/access.ts';
import { Curso } from '../src/entities/academico/curso.ts';
import { Lotacao } from '../src/entities/almoxarifado/lotacao.ts';
import { Lote } from '../src/entities/almoxarifado/lote.ts';
import { StatusMovimentacao } from '../src/entities/almoxarifado/status-movimentacao.ts';
import { TipoControle } from '../src/entities/almoxarifado/tipo-controle.ts';
import { TipoMovimentacao } from '../src/entities/almoxarifado/tipo-movimentacao.ts';
import { shapesOf } from '../src/graph/shape.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { listOfQuery } from '../src/listing/declaration.ts';
import { titleOf } from '../src/reports/parameter-words.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { snakeCase } from '../src/text/names.ts';
import { inOneGo, newCompany, newMaterial, newPlace } from './support/make.ts';
import { pagesOf } from './support/pdf.ts';
import { makePerson, makeProfile, makeSession } from './support/permissions.ts';
import { useService } from './support/service.ts';

/** A file says its filters in words. The name behind a key is only for those who may read it elsewhere. */

const service = useService();
const schema = await createSchema();
const { lists } = shapesOf(schema)!;

const controllerOf = (access: NonNullable<ReturnType<typeof accessOf>>): string =>
  (access.kind === 'level' ? access.controller : access.kind === 'own' ? access.readers : undefined)!;

/** Every filter by a key, in every file of a list. */
const named = legacyView(schema, routes).operations.flatMap(({ route, field, parameters }) => {
  const table = route.exports ?? route.report;
  const filters = (table && listOfQuery(field.name)?.filters) ?? [];
  return filters.flatMap(filter => {
    if (!filter.names) return [];
    const record = filter.names[0]();
    const list = lists.get(record);
    return {
      path: route.path,
      parameter: parameters.find(({ property }) => property === filter.argument)!.name,
      title: titleOf(filter, table!),
      forms: route.exports ? ['export'] : ['planilha', 'pdf'],
      controller: controllerOf(accessOf(field)!),
      keys: filter.paths.map(path => path.split('.').map(snakeCase)),
      record: record.name,
      /** Undefined if nobody may list the records. */
      itsController: list && controllerOf(list.access),
    };
  });
});
type Named = (typeof named)[number];

const unique = (): string => randomBytes(5).toString('hex');

interface Kept {
  id: number;
  name: string;
}

/** Records that no row of any list leads to, by their class. */
const kept: Record<string, Kept> = {};

beforeAll(async () => {
  const text = `Secreto ${unique()}`;
  const made = await inOneGo(service(), em => {
    const [company, place, material] = [newCompany(em), newPlace(em), newMaterial(em)];
    const batch = em.create(Lote, { codLote: `L${unique()}`, material, fabricante: newCompany(em) } as never);
    return {
      Curso: [
        em.create(Curso, { codigo: unique(), nome: `Curso ${text}`, modalidade: 'Presencial' }),
        'nome',
      ],
      Lotacao: [em.create(Lotacao, { nome: `Lotação ${text}`, sigla: unique() }), 'nome'],
      TipoControle: [em.create(TipoControle, { descricao: text, exigeAprovacao: false }), 'descricao'],
      TipoMovimentacao: [
        em.create(TipoMovimentacao, { descricao: text, exigeOrigem: false, exigeDestino: false }),
        'descricao',
      ],
      StatusMovimentacao: [em.create(StatusMovimentacao, { descricao: text }), 'descricao'],
      Empresa: [company, 'nome'],
      Local: [place, 'nome'],
      Material: [material, 'titulo'],
      Lote: [batch, 'codLote'],
    } as unknown as Record<string, [Record<string, string> & { id: number }, string]>;
  });
  for (const [name, [record, column]] of Object.entries(made))
    kept[name] = { id: record.id, name: record[column]! };
  const usuario = `secreta.${unique()}`;
  kept['PessoaCadastro'] = { id: await makePerson(service(), usuario), name: usuario };
});

/** Somebody whose only rights are level 1 on these controllers. */
async function readerOf(...controllers: (string | undefined)[]) {
  const [usuario, token] = [`leitora.${unique()}`, randomBytes(32).toString('base64url')];
  const idPessoa = await makePerson(service(), usuario);
  await makeSession(service(), idPessoa, token);
  const itens = controllers.flatMap(controller => (controller ? { controller } : []));
  await makeProfile(service(), { usuarios: [usuario], itens });
  return { headers: { token }, idPessoa, usuario };
}
type Reader = Awaited<ReturnType<typeof readerOf>>;

/** What an xlsx says of its filters, by their titles. */
async function wordsOf(answer: Response): Promise<Record<string, string>> {
  expect(answer.status).toBe(200);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(await answer.arrayBuffer());
  const rows = workbook.worksheets[1]!.getSheetValues().slice(1) as string[][];
  return Object.fromEntries(rows.map(([, title, word]) => [title, word]));
}

const fileOf = ({ headers }: Reader, path: string, form: string): Promise<Response> =>
  fetch(`${service().url}${path}&${form}=true&formatoPlanilha=xlsx`, { headers });

/** Expects the word of one filter in each form of the file. */
async function expectWord(
  reader: Reader,
  { path, parameter, title, forms }: Named,
  id: number,
  word: string,
): Promise<void> {
  for (const form of forms) {
    const file = await fileOf(reader, `${path}?${parameter}=${id}`, form);
    if (form !== 'pdf') expect(await wordsOf(file)).toMatchObject({ [title]: word });
    else expect((await pagesOf(await file.bytes())).join(' ')).toContain(`${title} ${word} `);
  }
}

/** The key of a record to which a row leads. */
async function usedKey({ path, keys }: Named): Promise<number> {
  const { body } = await (await service().as('admin')).get(`${path}?itemsPerPage=1000`);
  const found = (body.data as object[]).flatMap(row =>
    keys.flatMap(key => key.reduce<any>((at, part) => at?.[part], row) ?? []),
  );
  expect(found).not.toEqual([]);
  return found[0] as number;
}

/** More than two links lead to these, so that rows do not show them (contract 11). */
const FAR = new Set(['tipoControle of /almoxarifadoquimicos/movimentacoes-estoque']);

const called = ({ path, parameter }: Named): string => `${parameter} of ${path}`;

it('there are filters by a key in files', () => {
  expect(named.length).toBeGreaterThan(20);
});

const cases = named.map(one => [called(one), one] as const);

describe.each(cases)('the filter %s', (name, one) => {
  it('says only the key of a record without rows to somebody who may not list such records', async () => {
    const { id } = kept[one.record]!;
    await expectWord(await readerOf(one.controller), one, id, String(id));
  });

  it('says a name to somebody who may not list such records if the rows show it, too', async () => {
    const id = await usedKey(one);
    const reader = await readerOf(one.controller);
    const asked = `${one.path}?${one.parameter}=${id}`;
    const word = (await wordsOf(await fileOf(reader, asked, one.forms[0]!)))[one.title]!;
    if (FAR.has(name)) return expect(word).toBe(String(id));
    expect(word).not.toBe(String(id));
    const { body } = await service().anyone.with(reader.headers).get(asked);
    expect((body.data as object[]).some(row => JSON.stringify(row).includes(word))).toBe(true);
  });
});

// Courses and departments have no list.
it.each(cases.filter(([, { itsController }]) => itsController))(
  'the filter %s says the name of a record without rows to somebody who may list such records',
  async (_name, one) => {
    const { id, name } = kept[one.record]!;
    await expectWord(await readerOf(one.controller, one.itsController), one, id, name);
  },
);

it('somebody without rights on people is named to themselves', async () => {
  const one = named.find(({ record }) => record === 'PessoaCadastro')!;
  const reader = await readerOf(one.controller);
  await expectWord(reader, one, reader.idPessoa, reader.usuario);
});

it('a key without a record stays a key, whatever its reader may list', async () => {
  const one = named.find(({ record }) => record === 'PessoaCadastro')!;
  for (const reader of [await readerOf(one.controller), await readerOf(one.controller, one.itsController)])
    await expectWord(reader, one, 999_999, '999999');
});

it('a signed address names what the person who asked for it may read', async () => {
  const one = named.find(({ record }) => record === 'PessoaCadastro')!;
  const { id, name } = kept[one.record]!;
  const wordFor = async (...controllers: (string | undefined)[]): Promise<string | undefined> => {
    const { headers } = await readerOf(...controllers);
    const caminho = `${one.path}?${one.parameter}=${id}&planilha=true&formatoPlanilha=xlsx`;
    const asked = `query ($caminho: String!) { download(caminho: $caminho) { url } }`;
    const { data } = await service().anyone.with(headers).graphql(asked, { caminho });
    return (await wordsOf(await fetch(new URL(data.download.url as string, service().url))))[one.title];
  };
  expect(await wordFor(one.controller)).toBe(String(id));
  expect(await wordFor(one.controller, one.itsController)).toBe(name);
});
