import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { layouts, recordTypes } from '../src/siproquim/layouts.ts';
import {
  activities,
  type Amount,
  type Invoice,
  type Month,
  type Product,
  type Warehouse,
} from '../src/siproquim/month.ts';
import { fileLines, fileName, type FileOptions } from '../src/siproquim/write.ts';
import { readSiproquim, type ReadAmount } from './support/siproquim-reader.ts';

const usual: FileOptions = {
  version: '2025',
  lineEnd: '\r\n',
  nf: 'zeros',
  products: true,
  warehouses: false,
};

const written = (month: Month, options: Partial<FileOptions> = {}): string =>
  [...fileLines(month, { ...usual, ...options })].join('');

const acid: Product = {
  codigo: 'TPN12881067',
  nome: 'Ácido  sulfúrico\tPA',
  concentracao: 98,
  densidade: 184,
};
const mixture: Product = {
  ncm: '3824.99.89',
  nome: 'Solução de limpeza X',
  densidade: 105,
  substancias: [{ codigo: 'TPN12881067', concentracao: 55 }],
};

const month: Month = {
  cnpj: '11222333000181',
  ano: 2026,
  mes: 11,
  atividades: ['comercializacaoNacional', 'consumo'],
  produtos: [mixture, acid],
  notas: [
    {
      sentido: 'E',
      operacao: 'EC',
      parceiro: { cnpj: '12345678000195', razaoSocial: 'Fornecedor Exemplo Ltda' },
      numeroNf: '12345',
      dataEmissao: '2026-11-05',
      armazenagem: 'S',
      transporte: 'T',
      transportadora: { cnpj: '98765432000198', razaoSocial: 'Transportadora Exemplo SA' },
      armazem: {
        cnpj: '98765432000198',
        razaoSocial: 'Armazém Exemplo SA',
        endereco: 'Rua Exemplo',
        cep: '70070935',
        numero: '10',
        complemento: 'Galpão 1',
        bairro: 'Centro',
        uf: 'DF',
        municipio: 5300108,
      },
      itens: [
        { produto: acid, milesimos: 12_500, unidade: 'L' },
        { produto: mixture, milesimos: 1_250_000, unidade: 'K' },
      ],
    },
  ],
  consumos: [
    {
      produto: acid,
      milesimos: 250,
      unidade: 'L',
      finalidade: 2,
      observacao: 'Aula prática química analítica',
      data: '2026-11-30',
    },
  ],
};

const b = (count: number): string => ' '.repeat(count);

describe('the file of a month', () => {
  it('has the lines of the manual, letter by letter', () => {
    expect(written(month, { warehouses: true }).split('\r\n')).toEqual([
      'EM11222333000181NOV202610001000',
      'DG',
      `PRTPN12881067ACIDO SULFURICO PA${b(52)}09801,84`,
      `PC3824.99.89SOLUCAO DE LIMPEZA X${b(50)}01,05`,
      'SCTPN1288106755',
      `MVNEEC12345678000195FORNECEDOR EXEMPLO LTDA${b(46)}000001234505/11/2026ST`,
      `MMPRTPN1288106709801,84${b(9)}12,500L`,
      `MMPC3824.99.89${b(4)}01,05${b(6)}1.250,000K`,
      `MT98765432000198TRANSPORTADORA EXEMPLO SA${b(45)}`,
      `MA98765432000198ARMAZEM EXEMPLO SA${b(52)}RUA EXEMPLO${b(59)}70.070-93510   GALPAO 1${b(12)}CENTRO${b(24)}DF5300108`,
      `UCPRTPN1288106709801,84${b(10)}0,250L2AULA PRATICA QUIMICA ANALITICA${b(32)}30/11/2026`,
      '',
    ]);
  });

  it('leaves out what the institution decides to leave out', () => {
    const tags = (options: Partial<FileOptions>) =>
      written(month, options)
        .split(options.lineEnd ?? '\r\n')
        .map(line => line.slice(0, 2));
    expect(tags({ products: false, lineEnd: '\n' })).toEqual(['EM', 'MV', 'MM', 'MM', 'MT', 'UC', '']);
    expect(written(month, { nf: 'left' })).toContain('LTDA' + b(46) + '12345     05/11');
  });

  it('is named by its month and institution', () => {
    expect(fileName({ cnpj: '98765432000199', ano: 2017, mes: 6 })).toBe('M2017JUN98765432000199.txt');
  });

  const withConsumption = (change: object): Month => ({
    ...month,
    consumos: [{ ...[...month.consumos][0]!, ...change }],
  });
  const withNumber = (numeroNf: string): Month => ({
    ...month,
    notas: [...month.notas].map(nota => ({ ...nota, numeroNf })),
  });

  it.each([
    ['an amount of nothing', withConsumption({ milesimos: 0 })],
    ['an amount with a fraction', withConsumption({ milesimos: 0.5 })],
    ['an amount beyond the field', withConsumption({ milesimos: 1_000_000_000_000 })],
    ['a density of nothing', withConsumption({ produto: { ...acid, densidade: 0 } })],
    ['a concentration of four digits', withConsumption({ produto: { ...acid, concentracao: 1000 } })],
    ['an invoice number of eleven digits', withNumber('12345678901')],
    ['an invoice number of eleven letters', withNumber('1234567890A')],
  ])('is not written with %s', (_, impossible) => {
    expect(() => written(impossible)).toThrow(RangeError);
  });
});

test('the fields of each record follow each other without a gap', () => {
  for (const layout of Object.values(layouts))
    for (const type of recordTypes) {
      const { tag, fields } = layout[type];
      let next = tag.length + 1;
      for (const { start, length } of fields) {
        expect(start).toBe(next);
        next += length;
      }
    }
});

const digits = (length: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`));
const words = fc.string({ unit: fc.constantFrom(...'abçÃéñº–µ₂ß Ω\t\nZ9-'), maxLength: 90 });
const density = fc.integer({ min: 1, max: 9999 });
const code = digits(8).map(number => `TPN${number}`);
const simple = fc.record({
  codigo: code,
  nome: words,
  concentracao: fc.integer({ min: 1, max: 100 }),
  densidade: density,
});
const mixed = fc.record({
  ncm: digits(8).map(ncm => ncm.replace(/^(.{4})(..)(..)$/, '$1.$2.$3')),
  nome: words,
  densidade: density,
  substancias: fc.array(fc.record({ codigo: code, concentracao: fc.integer({ min: 1, max: 99 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const product: fc.Arbitrary<Product> = fc.oneof(simple, mixed);
const day = fc
  .date({ min: new Date('2010-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));
const amount: fc.Arbitrary<Amount> = fc.record({
  produto: product,
  milesimos: fc.integer({ min: 1, max: 999_999_999_999 }),
  unidade: fc.constantFrom('K', 'L'),
});
const company = fc.record({ cnpj: fc.stringMatching(/^[0-9A-Z]{12}\d\d$/), razaoSocial: words });
const warehouse: fc.Arbitrary<Warehouse> = fc.record({
  cnpj: fc.stringMatching(/^[0-9A-Z]{12}\d\d$/),
  razaoSocial: words,
  endereco: words,
  cep: digits(8),
  numero: fc.stringMatching(/^[0-9A-Z]{1,5}$/),
  complemento: words,
  bairro: words,
  uf: fc.constantFrom('AC', 'SC', 'TO'),
  municipio: fc.integer({ min: 1_100_000, max: 5_399_999 }),
});
const invoice: fc.Arbitrary<Invoice> = fc
  .record({
    operacao: fc.constantFrom('EC', 'ET', 'ED', 'ER', 'SV', 'ST', 'SD', 'SO'),
    parceiro: company,
    numeroNf: digits(9),
    dataEmissao: day,
    armazenagem: fc.constantFrom('S', 'N', 'F', 'T'),
    transporte: fc.constantFrom('A', 'F', 'T'),
    transportadora: company,
    armazem: warehouse,
    itens: fc.array(amount, { minLength: 1, maxLength: 3 }),
  })
  .map(given => ({ ...given, sentido: given.operacao[0] as 'E' | 'S' }));
const anyMonth: fc.Arbitrary<Month> = fc.record({
  cnpj: digits(14),
  ano: fc.integer({ min: 2010, max: 2099 }),
  mes: fc.integer({ min: 1, max: 12 }),
  atividades: fc.subarray([...activities]),
  produtos: fc.array(product, { maxLength: 4 }),
  notas: fc.array(invoice, { maxLength: 4 }),
  consumos: fc.array(
    fc
      .record({ amount, finalidade: fc.integer({ min: 1, max: 5 }), observacao: words, data: day })
      .map(({ amount, ...rest }) => ({ ...amount, ...rest })),
    { maxLength: 4 },
  ),
});

const slashed = (iso: string): string => `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
const dense = (hundredths: number): string =>
  (hundredths / 100).toFixed(2).replace('.', ',').padStart(5, '0');
const percent = (value: number): string => String(value).padStart(3, '0');
const readable = ({ produto, milesimos, unidade }: Amount): ReadAmount => ({
  produto: 'ncm' in produto ? `PC${produto.ncm}` : `PR${produto.codigo}`,
  concentracao: 'ncm' in produto ? '   ' : percent(produto.concentracao),
  densidade: dense(produto.densidade),
  milesimos,
  unidade,
});

const addressOf = ({ cnpj, cep, numero, uf, municipio }: Record<string, unknown>) => ({
  cnpj,
  cep,
  numero,
  uf,
  municipio: String(municipio),
});
const masked = ({ cep, ...rest }: Warehouse) =>
  addressOf({ ...rest, cep: `${cep.slice(0, 2)}.${cep.slice(2, 5)}-${cep.slice(5)}` });

test('what is written is read back, whatever the month', () => {
  fc.assert(
    fc.property(anyMonth, given => {
      const read = readSiproquim(written(given, { warehouses: true }));
      expect(read).toMatchObject({
        cnpj: given.cnpj,
        ano: String(given.ano),
        geral: true,
        atividades: activities.map(name => (given.atividades.includes(name) ? '1' : '0')).join(''),
      });
      const mixtures = given.produtos.flatMap(one => ('ncm' in one ? [one] : []));
      const simples = given.produtos.flatMap(one => ('ncm' in one ? [] : [one]));
      expect(read.produtos).toMatchObject(
        simples.map(one => ({
          codigo: one.codigo,
          concentracao: percent(one.concentracao),
          densidade: dense(one.densidade),
        })),
      );
      expect(read.compostos).toMatchObject(
        mixtures.map(one => ({
          ncm: one.ncm,
          densidade: dense(one.densidade),
          substancias: one.substancias.map(part => ({
            codigo: part.codigo,
            concentracao: percent(part.concentracao).slice(1),
          })),
        })),
      );
      expect(read.notas).toMatchObject(
        [...given.notas].map(nota => ({
          operacao: nota.operacao,
          cnpj: nota.parceiro.cnpj,
          numeroNf: nota.numeroNf.padStart(10, '0'),
          dataEmissao: slashed(nota.dataEmissao),
          transporte: nota.transporte,
          itens: nota.itens.map(readable),
          ...(nota.transporte === 'T' && { transportadora: { cnpj: nota.transportadora!.cnpj } }),
        })),
      );
      expect(read.notas.map(({ armazem }) => armazem && addressOf(armazem))).toEqual(
        [...given.notas].map(({ armazenagem, armazem }) =>
          'ST'.includes(armazenagem) ? masked(armazem!) : undefined,
        ),
      );
      expect(read.consumos).toMatchObject(
        [...given.consumos].map(one => ({
          ...readable(one),
          finalidade: String(one.finalidade),
          data: slashed(one.data),
        })),
      );
    }),
  );
});
