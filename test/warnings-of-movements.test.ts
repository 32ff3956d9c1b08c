import { beforeAll, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { makeChemical, makePartner, type Chemical } from './support/controlled.ts';
import { useService } from './support/service.ts';
import { created, makeBatch, makeInvoice, moved, paths } from './support/stock.ts';

const service = useService();
let client: Client;
let chemical: Chemical;
let watched: Chemical;
/** An invoice that lacks its day and the CNPJ of its supplier, and that of an exit. */
let incomplete: number;
let complete: number;

beforeAll(async () => {
  client = await service().as('almoxarife');
  chemical = await makeChemical(service());
  watched = await makeChemical(service(), { controlado: true });
  incomplete = (await makeInvoice(service(), { operacao: 'SD', data_emissao: null })).id;
  const id_fornecedor = await makePartner(service(), 'Fornecedor');
  complete = (await makeInvoice(service(), { numero_nf: '77', data_emissao: '2026-11-05', id_fornecedor }))
    .id;
});

const came = ({ idLote, place }: Chemical, id_nota_fiscal: number | null) => ({
  id_lote: idLote,
  id_tipo_movimentacao: id_nota_fiscal === null ? 2 : 1,
  id_local_destino_fim: place,
  quantidade: 1,
  fl_estorno: 'N',
  id_nota_fiscal,
});
const left = ({ idLote, place }: Chemical, more: object = {}) => ({
  id_lote: idLote,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: place,
  quantidade: 1,
  fl_estorno: 'N',
  ...more,
});
const fieldsOf = (avisos: string[] | null): string[] => (avisos ?? []).map(aviso => aviso.split(':')[0]!);
const ofEntry = [
  'data_emissao: Informe a data de emissão da nota fiscal.',
  'operacao: A operação é de saída, e a nota tem entradas. Corrija a operação da nota.',
  'cnpj: Informe o CNPJ do fornecedor.',
];

it('a movement gets warnings about an invoice that was registered before it, also while it waits', async () => {
  const [effective] = await moved(service(), came(chemical, incomplete));
  expect(effective.avisos).toEqual(ofEntry);
  const [waiting] = await moved(service(), came(watched, incomplete));
  expect([waiting.id_status_movimentacao, waiting.avisos]).toEqual([1, ofEntry]);
});

it('a change of a waiting movement gets warnings about its invoice until that is corrected', async () => {
  const nota = await makeInvoice(service(), { data_emissao: null });
  const [waiting] = await moved(service(), came(watched, nota.id));
  const path = `${paths.movements}/${waiting.id}`;
  const change = async (): Promise<string[]> => fieldsOf((await client.put(path, waiting)).body.avisos);
  expect(await change()).toEqual(['data_emissao', 'cnpj']);
  const { numero_nf, id_transportadora } = nota;
  const id_fornecedor = await makePartner(service(), 'Outro fornecedor');
  const invoice = { numero_nf: numero_nf.slice(0, 10), id_transportadora, id_fornecedor };
  await client.put(`${paths.invoices}/${nota.id}`, { ...invoice, data_emissao: '2026-11-05' });
  expect(await change()).toEqual([]);
});

it('an exit or a disposal gets warnings about the invoice with which the map reports it', async () => {
  const rows = await moved(
    service(),
    left(chemical, { id_nota_fiscal: incomplete }),
    left(chemical, { id_nota_fiscal: incomplete, id_tipo_movimentacao: 5 }),
  );
  expect(rows.map(({ avisos }) => fieldsOf(avisos))).toEqual([
    ['data_emissao', 'cnpj'],
    ['data_emissao', 'cnpj'],
  ]);
});

it('an exit with the invoice of an entry is consumption: the map lacks its purpose, and nothing of the invoice', async () => {
  const { id: entry } = await makeInvoice(service(), { operacao: 'EC', data_emissao: null });
  const [aimless] = await moved(service(), left(chemical, { id_nota_fiscal: entry }));
  const [used] = await moved(service(), left(chemical, { id_nota_fiscal: entry, finalidade: 2 }));
  expect([fieldsOf(aimless.avisos), used.avisos]).toEqual([['finalidade'], null]);
});

it('each movement of a request gets the warnings about its own invoice, on GraphQL in the language of the client', async () => {
  const plain = await makeBatch(service(), { id_local: chemical.place });
  const one = (idLote: number, nota: number) =>
    `{ idLote: ${idLote}, idTipoMovimentacao: 1, idLocalDestinoFim: ${chemical.place}, quantidade: 1, flEstorno: false, idNotaFiscal: ${nota} }`;
  const { data, errors } = await client
    .with({ 'accept-language': 'en' })
    .graphql(
      `mutation { criarMovimentacoesEstoque(input: { movimentacoes: [${one(chemical.idLote, complete)}, ${one(chemical.idLote, incomplete)}, ${one(plain.id, incomplete)}] }) { data { idLote idNotaFiscal avisos } } }`,
    );
  expect(errors).toBeUndefined();
  const rows = data.criarMovimentacoesEstoque.data as {
    idLote: number;
    idNotaFiscal: number;
    avisos: string[] | null;
  }[];
  const of = (idLote: number, nota: number) =>
    rows.find(row => row.idLote === idLote && row.idNotaFiscal === nota)!.avisos;
  expect(of(chemical.idLote, complete)).toBeNull();
  expect(of(plain.id, incomplete)).toBeNull();
  expect(of(chemical.idLote, incomplete)).toEqual([
    'data_emissao: Give the invoice its day of issue.',
    'operacao: The operation is an exit, and the invoice has entries. Correct the operation of the invoice.',
    'cnpj: Give the supplier its CNPJ.',
  ]);
});

it('the reversal of a movement gets no warnings about its invoice', async () => {
  const [entry] = await moved(service(), came(chemical, incomplete));
  const { data } = await client.graphql(`mutation { estornarMovimentacao(id: ${entry.id}) { avisos } }`);
  expect(data.estornarMovimentacao.avisos).toBeNull();
});

it('what a warning says to do with a waiting movement can be done by who registered it', async () => {
  const [entry, exit] = [
    created(await client.post(paths.movements, { movimentacoes: [came(watched, null)] })).data[0],
    created(await client.post(paths.movements, { movimentacoes: [left(watched)] })).data[0],
  ];
  expect([entry.avisos, exit.avisos]).toEqual([
    [
      'id_nota_fiscal: O mapa só conhece entradas com nota fiscal. Se há nota, exclua ou rejeite a entrada, se ela ainda espera aprovação, ou estorne-a, e a registre com a nota.',
    ],
    [
      'finalidade: Informe a finalidade do local de onde saiu, ou a da saída, se ela ainda espera aprovação; senão, estorne-a e a registre com a finalidade.',
    ],
  ]);
  const changed = await client.put(`${paths.movements}/${exit.id}`, { ...exit, finalidade: 2 });
  expect([changed.status, changed.body.avisos]).toEqual([200, null]);
  expect((await client.delete(`${paths.movements}/${entry.id}`)).status).toBe(200);
  const [again] = await moved(service(), came(watched, complete));
  expect(again.avisos).toBeNull();
  const { data } = await client
    .with({ 'accept-language': 'en' })
    .graphql(
      `mutation { criarMovimentacoesEstoque(input: { movimentacoes: [{ idLote: ${watched.idLote}, idTipoMovimentacao: 2, idLocalDestinoFim: ${watched.place}, quantidade: 1, flEstorno: false }, { idLote: ${watched.idLote}, idTipoMovimentacao: 4, idLocalOrigemFim: ${watched.place}, quantidade: 1, flEstorno: false }] }) { data { idTipoMovimentacao avisos } } }`,
    );
  const { data: rows } = data.criarMovimentacoesEstoque;
  expect(new Map(rows.map((row: any) => [row.idTipoMovimentacao, row.avisos]))).toEqual(
    new Map([
      [
        2,
        [
          'id_nota_fiscal: The map knows only entries with an invoice. If there is one, delete or reject the entry, if it still waits for approval, or reverse it, and register it with the invoice.',
        ],
      ],
      [
        4,
        [
          'finalidade: Give the location that it left a purpose, or the movement, if it still waits for approval; else reverse it and register it with a purpose.',
        ],
      ],
    ]),
  );
});
