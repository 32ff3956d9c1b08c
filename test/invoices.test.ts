import { afterEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { makeCompany } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import {
  batchBody,
  invoiceBody,
  makeInvoice,
  movementsOf,
  paths,
  stockAt,
  type Body,
} from './support/stock.ts';

const service = useService();
const { invoices } = paths;
const almoxarife = () => service().as('almoxarife');

afterEach(() => expectBalanced(service()));

describe('creating an invoice', () => {
  it('without batches stores what is written, and can be read at its Location', async () => {
    const client = await almoxarife();
    const written = await invoiceBody(service(), {
      data_emissao: '2026-10-01',
      data_recebimento: '2026-10-07',
      processo_sei: '23000.001234/2026-11',
      link_nf: 'https://example.org/nf?n=1',
    });
    const created = await client.post(invoices, written);
    expect(created).toMatchObject({ status: 201, body: { ...written, lotes: [] } });
    expect(created.headers.get('location')).toBe(`${invoices}/${created.body.id}`);
    expect((await client.get(created.headers.get('location')!)).body).toEqual(created.body);
    expect(created.body.fornecedor).toMatchObject({ id: written.id_fornecedor });
  });

  it('enters its batches by entries of type 1, those of controlled materials once approved', async () => {
    const lotes = [
      await batchBody(service()),
      await batchBody(service(), { controlado: true, cod_lote: null, data_venc: null, quantidade: 7 }),
    ];
    const nota = await makeInvoice(service(), { lotes });
    const [free, controlled] = nota.lotes as [Body, Body];
    expect(nota.lotes).toMatchObject(lotes);
    for (const [lote, id_status_movimentacao] of [
      [free, 2],
      [controlled, 1],
    ] as const)
      expect(await movementsOf(service(), lote.id)).toMatchObject([
        {
          id_tipo_movimentacao: 1,
          id_status_movimentacao,
          id_nota_fiscal: nota.id,
          quantidade: lote.quantidade,
        },
      ]);
    expect(await stockAt(service(), free.id, free.id_local)).toBe(100);
    expect(await stockAt(service(), controlled.id, controlled.id_local)).toBeNull();
    const batch = await (await almoxarife()).get(`${paths.batches}/${free.id}`);
    expect(batch.body.notas_fiscais).toMatchObject([{ id_nota_fiscal: nota.id }]);
  });

  it('reports all broken fields at once, those of batches by path', async () => {
    const client = await almoxarife();
    expect(fieldsOf(await client.post(invoices, {})).toSorted()).toEqual([
      'id_fornecedor',
      'id_transportadora',
      'numero_nf',
    ]);
    const nobody = 2_000_000;
    const refused = await client.post(invoices, {
      numero_nf: '',
      id_transportadora: nobody,
      id_fornecedor: null,
      data_emissao: '2026-02-30',
      data_recebimento: 'x',
      processo_sei: 'x'.repeat(51),
      link_nf: `https://${'x'.repeat(2001)}`,
      lotes: [
        { cod_lote: 'x'.repeat(51), data_venc: '2026-02-30' },
        { ...(await batchBody(service())), id_local_destino: nobody, quantidade: 0 },
        { id_material: nobody, id_fabricante: nobody, id_local: nobody, quantidade: 'x' },
      ],
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual([
      'data_emissao',
      'data_recebimento',
      'id_fornecedor',
      'id_transportadora',
      'link_nf',
      ...['cod_lote', 'data_venc', 'id_fabricante', 'id_local', 'id_material', 'quantidade'].map(
        name => `lotes[0].${name}`,
      ),
      ...['id_local_destino', 'quantidade'].map(name => `lotes[1].${name}`),
      ...['id_fabricante', 'id_local', 'id_material', 'quantidade'].map(name => `lotes[2].${name}`),
      'numero_nf',
      'processo_sei',
    ]);
  });

  it('creates nothing if one of its batches cannot be created', async () => {
    const good = await batchBody(service());
    const body = await invoiceBody(service(), {
      numero_nf: 'NF nula',
      lotes: [good, { ...good, id_local: 2_000_000 }],
    });
    expectProblem(await (await almoxarife()).post(invoices, body), 422, 'VALIDATION_FAILED');
    expect(await service().sql(`select 1 from nota_fiscal where numero_nf = 'NF nula'`)).toEqual([]);
    expect(await service().sql('select 1 from lote where id_material = $1', [good.id_material])).toEqual([]);
  });

  it('works the same in GraphQL', async () => {
    const { id_material, id_fabricante, id_local } = await batchBody(service());
    const { id_transportadora, id_fornecedor } = await invoiceBody(service());
    const lotes = [
      { idMaterial: id_material, idFabricante: id_fabricante, idLocal: id_local, quantidade: 5 },
    ];
    const input = {
      numeroNf: 'NF 7',
      idTransportadora: id_transportadora,
      idFornecedor: id_fornecedor,
      lotes,
    };
    const create = `mutation ($input: NotaFiscalInput!) { criarNotaFiscal(input: $input) { numeroNf lotes { id idMaterial quantidade } } }`;
    const client = await almoxarife();
    const { criarNotaFiscal: nota } = (await client.graphql(create, { input })).data;
    expect(nota).toMatchObject({ numeroNf: 'NF 7', lotes: [{ idMaterial: id_material, quantidade: 5 }] });
    expect(await stockAt(service(), nota.lotes[0].id, id_local)).toBe(5);
    const broken = { ...input, lotes: [{ ...lotes[0], codLote: 'x'.repeat(51), idLocal: 2_000_000 }] };
    const { errors } = await client.graphql(create, { input: broken });
    expect(errors![0]!.extensions.errors!.map(error => error.field)).toEqual([
      'lotes[0].codLote',
      'lotes[0].idLocal',
    ]);
  });

  it('needs level 2', async () => {
    expectProblem(
      await (await service().as('discente')).post(invoices, await invoiceBody(service())),
      403,
      'FORBIDDEN',
    );
  });
});

describe('the invoices', () => {
  it('are found by number, process, companies and days', async () => {
    const fornecedor = await makeCompany(service());
    const nota = await makeInvoice(service(), {
      numero_nf: 'NF 77/B',
      id_fornecedor: fornecedor.id,
      processo_sei: 'Processo Único',
      data_emissao: '2026-03-04',
      data_recebimento: '2026-03-05',
    });
    const client = await almoxarife();
    const queries = [
      'numeroNf=NF+77/B',
      'processoSei=unico',
      'dataEmissao=2026/03/04',
      'dataRecebimento=2026-03-05',
      `idTransportadora=${nota.id_transportadora}`,
      `fornecedor=${encodeURIComponent(fornecedor.nome!)}`,
    ];
    for (const query of queries) {
      const { body } = await client.get(
        `${invoices}?idFornecedor=${fornecedor.id}&${query}&orderByNumeroNF=asc`,
      );
      expect(body.data.map((found: Body) => found.id)).toEqual([nota.id]);
    }
    expect((await client.get(`${invoices}?idFornecedor=${fornecedor.id}&numeroNf=NF+77`)).body.data).toEqual(
      [],
    );
    expectProblem(await client.get(`${invoices}?dataEmissao=2026-02-30`), 400, 'BAD_REQUEST');
  });
});
