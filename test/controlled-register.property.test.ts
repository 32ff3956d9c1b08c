import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { postMovements } from '../src/domain/ledger.ts';
import type { Movement } from '../src/domain/movement.ts';
import { CodigoPf } from '../src/entities/almoxarifado/codigo-pf.ts';
import { Local } from '../src/entities/almoxarifado/local.ts';
import { Material } from '../src/entities/almoxarifado/material.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { pagesOf } from './support/pdf.ts';
import { lastMonth } from './support/reports.ts';
import { useService } from './support/service.ts';
import { makeBatch } from './support/stock.ts';

const service = useService();
const path = '/relatorios/almoxarifado-quimicos/livro-controlados';
const PERSON = 1;
const MONTHS = [1, 2, 3, 4];
let codes = 10_000_000;

/** A batch of 100,000 of a controlled chemical, counted in this factor of a litre, which came in December 2024. */
async function makeChemical(fator: number) {
  const codigo = `TPN${++codes}`;
  const { id } = await makeMaterial(service());
  const em = service().services.orm.em.fork();
  const material = await em.findOneOrFail(Material, id, { populate: ['unidadeMedida'] });
  em.assign(material, { codigoPf: codigo, concentracao: 99.5, densidade: 0.79 });
  em.assign(material.unidadeMedida, { unidadeControle: 'L', fatorControle: fator });
  await em.flush();
  const here = (await makePlace(service())).id;
  const there = (await makePlace(service())).id;
  await em.nativeUpdate(Local, { id: there }, { finalidade: 5 });
  const batch = await makeBatch(service(), { id_material: id, id_local: here, quantidade: 100_000 });
  await service().sql(`alter table movimentacao disable trigger user`);
  await service().sql(`update movimentacao set data = '2024-12-10' where id_lote = $1`, [batch.id]);
  await service().sql(`alter table movimentacao enable trigger user`);
  return { codigo, idLote: batch.id as number, here, there, id };
}

type Chemical = Awaited<ReturnType<typeof makeChemical>>;

const post = (movements: readonly Movement[]) =>
  service()
    .services.orm.em.fork()
    .transactional(em => postMovements(em, movements, PERSON));

const FIGURES =
  'saldoInicial entradas doacoes transferencias consumo1 consumo2 consumo3 consumo4 consumo5 consumoOutro descartes saldoFinal';

async function month({ codigo, id }: Chemical, ano: number, mes: number): Promise<any> {
  const { data, errors } = await (
    await service().as('admin')
  ).graphql(
    `query ($ano: Int, $mes: Int, $codigo: String) { livroControlados(ano: $ano, mes: $mes, codigo: $codigo) { data { ${FIGURES} unidade concentracao densidade idMateriais } } }`,
    { ano, mes, codigo },
  );
  expect(errors).toBeUndefined();
  return data.livroControlados.data.find((line: any) => line.idMateriais.includes(id));
}

/** The figure of a kind of movement. The place where it happens says purpose 5. */
function nameOf(tipo: number, finalidade: number | null): string {
  if (tipo === 4) return `consumo${finalidade ?? 5}`;
  return { 2: 'doacoes', 3: 'transferencias' }[tipo] ?? 'descartes';
}

const thousandths = (figure: number): number => Math.round(figure * 1000);

/** What somebody does in a month: a kind of movement, and how much of it a reversal of some later month undoes. */
const deed = fc.record({
  tipo: fc.constantFrom(2, 3, 4, 5),
  quantidade: fc.integer({ min: 1, max: 900 }),
  mes: fc.constantFrom(...MONTHS),
  finalidade: fc.option(fc.integer({ min: 1, max: 5 })),
  undone: fc.option(fc.record({ part: fc.integer({ min: 1, max: 900 }), later: fc.nat(3) })),
});

test('the months of a chemical follow each other, and add up to the ledger', async () => {
  const chemical = await makeChemical(0.001);
  const { idLote, here, there } = chemical;
  // More of it is at the other place, so that all that leaves it was there.
  const at = (mes: number) => `2025-0${mes}-15T12:00:00-03:00`;
  await post([
    {
      idLote,
      idTipoMovimentacao: 3,
      idLocalOrigemFim: here,
      idLocalDestinoFim: there,
      quantidade: 50_000,
      flEstorno: 'N',
      data: at(1),
    },
  ]);
  const sums = new Map<number, Record<string, number>>(MONTHS.map(mes => [mes, {}]));
  const add = (mes: number, name: string, amount: number): void => {
    const sum = sums.get(mes)!;
    sum[name] = (sum[name] ?? 0) + amount;
  };
  add(1, 'transferencias', 50_000);
  await fc.assert(
    fc.asyncProperty(deed, async ({ tipo, quantidade, mes, finalidade, undone }) => {
      const movement: Movement = {
        idLote,
        idTipoMovimentacao: tipo,
        ...(tipo === 2 ? { idLocalDestinoFim: there } : { idLocalOrigemFim: there }),
        ...(tipo === 3 && { idLocalDestinoFim: here }),
        quantidade,
        finalidade,
        flEstorno: 'N',
        data: at(mes),
      };
      const [id] = await post([movement]);
      const name = nameOf(tipo, finalidade);
      add(mes, name, quantidade);
      if (undone) {
        const part = Math.min(undone.part, quantidade);
        const later = Math.min(mes + undone.later, 4);
        // It says another purpose than what it undoes.
        await post([
          { ...movement, finalidade: 1, quantidade: part, flEstorno: 'S', idEstornada: id!, data: at(later) },
        ]);
        add(later, name, -part);
      }
    }),
    { numRuns: 30 },
  );
  let before = 100_000;
  for (const mes of MONTHS) {
    const line = await month(chemical, 2025, mes);
    const said = (name: string): number => thousandths(line[name]);
    expect(said('saldoInicial')).toBe(before);
    const { doacoes = 0, descartes = 0, transferencias = 0, ...consumed } = sums.get(mes)!;
    expect([said('doacoes'), said('descartes'), said('transferencias')]).toEqual([
      doacoes,
      descartes,
      transferencias,
    ]);
    for (let purpose = 1; purpose <= 5; purpose++)
      expect(said(`consumo${purpose}`)).toBe(consumed[`consumo${purpose}`] ?? 0);
    expect(said('consumoOutro')).toBe(0);
    before += doacoes - descartes - Object.values(consumed).reduce((sum, one) => sum + one, 0);
    expect(said('saldoFinal')).toBe(before);
  }
  const [[stock]] = (await service().sql('select sum(quantidade)::int from estoque where id_lote = $1', [
    idLote,
  ])) as [[number]];
  expect(before).toBe(stock);
});

describe('a line of the register', () => {
  it('is rounded once, and is one for materials of the same code, concentration and density', async () => {
    const chemical = await makeChemical(0.0004);
    const other = await makeChemical(0.0004);
    const em = service().services.orm.em.fork();
    await em.nativeUpdate(Material, { id: other.id }, { codigoPf: chemical.codigo, concentracao: 100 });
    for (const { idLote, here } of [chemical, other])
      await post(
        [1, 1].map(quantidade => ({
          idLote,
          idTipoMovimentacao: 4,
          idLocalOrigemFim: here,
          quantidade,
          flEstorno: 'N' as const,
          data: '2025-02-03T00:30:00-03:00',
        })),
      );
    expect(await month(chemical, 2025, 2)).toMatchObject({
      saldoInicial: 80,
      consumoOutro: 0.002,
      saldoFinal: 79.998,
      unidade: 'L',
      concentracao: 100,
      densidade: 0.79,
      idMateriais: [chemical.id, other.id],
    });
    await em.nativeUpdate(Material, { id: other.id }, { densidade: 0.8 });
    expect(await month(chemical, 2025, 2)).toMatchObject({ consumoOutro: 0.001, idMateriais: [chemical.id] });
  });

  it('has no figures while the unit has no factor, and no concentration that nobody gave', async () => {
    const chemical = await makeChemical(1);
    await service().sql('update material set concentracao = null where id = $1', [chemical.id]);
    await service().sql(
      `update unidade_medida set fator_controle = null where id = (select id_unidade_medida from material where id = $1)`,
      [chemical.id],
    );
    expect(await month(chemical, 2025, 2)).toMatchObject({
      saldoInicial: null,
      saldoFinal: null,
      concentracao: null,
    });
  });
});

describe('the register', () => {
  it('is of one month or of all, and can be printed', async () => {
    const client = await service().as('admin');
    const { ano, mes } = await lastMonth(service());
    const { body } = await client.get(`${path}?ano=${ano}&mes=${mes}`);
    expect(body.data.map(({ produto }: { produto: string }) => produto)).toContain('Acetona');
    const whole = (await client.get(path)).body.data.filter(({ produto }: any) => produto === 'Acetona');
    expect(whole.map((line: any) => [line.ano, line.mes])).toContainEqual([ano, mes]);
    const opened = whole.map((line: any) => line.saldo_inicial);
    const closed = whole.map((line: any) => line.saldo_final);
    expect(opened.slice(0, -1)).toEqual(closed.slice(1));
    const pdf = await client.get(`${path}?ano=${ano}&mes=${mes}&pdf=true`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  it('has the same figures in a month, in a year, in this month of all years, and in all months', async () => {
    await makeChemical(0.001);
    const client = await service().as('admin');
    const linesOf = async (query: string): Promise<Record<string, unknown>[]> => {
      const { status, body } = await client.get(`${path}?pagination=false${query}`);
      expect(status).toBe(200);
      return body.data.map((line: object) => ({ ...line, id: undefined }));
    };
    const all = await linesOf('');
    const { ano, mes } = await lastMonth(service());
    expect(new Set(all.map(line => line['ano'])).size).toBeGreaterThan(1);
    for (const given of [
      { ano, mes },
      { ano },
      { mes },
      { ano: 2025 },
      { mes: 12 },
      { ano: 2024, mes: 12 },
    ]) {
      const query = Object.entries(given).map(([name, value]) => `&${name}=${value}`);
      const isMeant = (line: Record<string, unknown>) =>
        Object.entries(given).every(([name, value]) => line[name] === value);
      expect([given, await linesOf(query.join(''))]).toEqual([given, all.filter(isMeant)]);
    }
  });

  it('prints for signature, with the sums of each substance, whatever its concentration', async () => {
    const [strong, weak, nameless] = [
      await makeChemical(0.001),
      await makeChemical(0.001),
      await makeChemical(1),
    ];
    const em = service().services.orm.em.fork();
    await em.nativeUpdate(Material, { id: weak.id }, { codigoPf: strong.codigo, concentracao: 37 });
    await em.nativeUpdate(Material, { id: nameless.id }, { codigoPf: null, tipoControle: 1 });
    for (const { idLote, here } of [strong, weak, nameless])
      await post([
        {
          idLote,
          idTipoMovimentacao: 4,
          idLocalOrigemFim: here,
          quantidade: 1500,
          finalidade: 2,
          flEstorno: 'N',
          data: '2025-02-03T12:00:00-03:00',
        },
      ]);
    em.create(CodigoPf, { codigo: strong.codigo, nome: 'Ácido exemplar', lista: 'IV' });
    await em.flush();
    const { headers } = await service().as('admin');
    const answer = await fetch(`${service().url}${path}?ano=2025&mes=2&pdf=true`, { headers });
    const pages = await pagesOf(new Uint8Array(await answer.arrayBuffer()));
    const text = pages.join(' ');
    expect(text).toContain('Subtotais por substância');
    // Opened with, got nothing, used for analyses, closed with.
    const figures = '200,000 0,000 0,000 0,000 0,000 3,000 0,000 0,000 0,000 0,000 0,000 0,000 197,000';
    expect(text).toContain(`2025 2 Ácido exemplar ${strong.codigo} L ${figures}`);
    const { titulo } = await em.findOneOrFail(Material, nameless.id);
    expect(text.split('Subtotais')[1]).toContain(`${titulo} L 100.000,000`);
    expect(text).toContain('Responsável técnico');
    for (const page of pages.slice(1))
      expect(page).toContain('Livro de produtos controlados · Ano 2025 · Mês 2');
  });

  it('leaves out list VII and materials that are not controlled', async () => {
    const chemical = await makeChemical(1);
    expect(await month(chemical, 2025, 1)).toBeDefined();
    await service().sql(`update material set lista_pf = 'VII' where id = $1`, [chemical.id]);
    expect(await month(chemical, 2025, 1)).toBeUndefined();
    await service().sql(`update material set lista_pf = null, codigo_pf = null where id = $1`, [chemical.id]);
    expect(await month(chemical, 2025, 1)).toBeUndefined();
  });
});
