import { describe, expect, it } from 'vitest';
import { useImports } from './support/imports.ts';
import { makeMaterial } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeInvoice, paths } from './support/stock.ts';

const service = useService();
const { file, load } = useImports(service);
const almoxarife = () => service().as('almoxarife');
const materials = '/almoxarifadoquimicos/materiais';
const authors = { criado_por: 1, alterado_por: 1 };
const acid = { titulo: 'Ácido', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L', ...authors };

describe('the Federal Police data of a material', () => {
  it('are written and read with it, and stay when an old client writes it', async () => {
    const client = await almoxarife();
    const given = {
      codigo_pf: 'TPN12881067',
      lista_pf: 'IV',
      ncm: '2807.00.10',
      concentracao: 97.5,
      densidade: 1.84,
      rotulo_exercito: 'PCE',
    };
    const { body } = await client.post(materials, { ...acid, ...given });
    expect(body).toMatchObject(given);
    const { body: after } = await client.put(`${materials}/${body.id}`, acid);
    expect(after).toMatchObject(given);
    const { data } = await client.graphql(
      `{ materiais(filter: { listaPf: { eq: IV }, codigoPf: { eq: "TPN12881067" } }) { data { id densidade } } }`,
    );
    expect(data.materiais.data).toEqual([{ id: body.id, densidade: 1.84 }]);
  });

  it.each([
    ['codigo_pf', ['TPN1288106', 'tpn12881067', 'TPN128810670', 'XPN12881067']],
    ['ncm', ['28070010', '2807.0010']],
    ['concentracao', [0, -1, 100.5, '98,5']],
    ['densidade', [0, 0.004, 100]],
    ['lista_pf', ['VIII']],
  ])('has a %s of the right form, or none', async (field, wrong) => {
    const client = await almoxarife();
    for (const value of wrong) {
      const refused = await client.post(materials, { ...acid, [field]: value });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual([field]);
    }
    expect((await client.post(materials, { ...acid, [field]: null })).status).toBe(201);
  });
});

describe('a mixture', () => {
  it('has controlled chemicals, each once, which go with it', async () => {
    const client = await almoxarife();
    const { id } = await makeMaterial(service());
    const add = (codigoPf: string, concentracao: number) =>
      client.graphql(
        'mutation ($input: SubstanciaControladaInput!) { criarSubstanciaControlada(input: $input) { codigoPf concentracao } }',
        { input: { idMaterial: id, codigoPf, concentracao } },
      );
    const code = async (answer: ReturnType<typeof add>) => (await answer).errors?.[0]?.extensions.code;
    expect((await add('TPN12881067', 55)).data.criarSubstanciaControlada.concentracao).toBe(55);
    expect(await code(add('TPN12881067', 10))).toBe('DUPLICATE');
    expect(await code(add('TPN12881068', 100))).toBe('VALIDATION_FAILED');
    expect(await code(add('12881068', 10))).toBe('VALIDATION_FAILED');
    const { data } = await client.graphql(
      `{ material(id: ${id}) { substanciasControladas { total data { codigoPf } } } }`,
    );
    expect(data.material.substanciasControladas).toEqual({ total: 1, data: [{ codigoPf: 'TPN12881067' }] });
    expect((await client.delete(`${materials}/${id}`)).status).toBe(200);
    expect(
      await service().sql('select count(*)::int from substancia_controlada where id_material = $1', [id]),
    ).toEqual([[0]]);
  });
});

describe('a unit', () => {
  it('has a known conversion factor from the start, and another when somebody sets it', async () => {
    const units = await service().sql(
      `select sigla, unidade_controle, fator_controle from unidade_medida where sigla in ('g', 'mL', 'm³', 'frasco') order by 1`,
    );
    expect(units).toEqual([
      ['frasco', null, null],
      ['g', 'K', 0.001],
      ['mL', 'L', 0.001],
      ['m³', 'L', 1000],
    ]);
    const client = await almoxarife();
    const [[id]] = (await service().sql(`select id from unidade_medida where sigla = 'ampola'`)) as [
      [number],
    ];
    const { data } = await client.graphql(
      `mutation { atualizarUnidadeMedida(id: ${id}, input: { unidadeControle: L, fatorControle: 0.005 }) { sigla fatorControle } }`,
    );
    expect(data.atualizarUnidadeMedida).toEqual({ sigla: 'ampola', fatorControle: 0.005 });
    const { errors } = await client.graphql(
      `mutation { atualizarUnidadeMedida(id: ${id}, input: { fatorControle: 0 }) { id } }`,
    );
    expect(errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
  });
});

describe('an invoice', () => {
  it('has its Federal Police data on both faces, if somebody enters them', async () => {
    const client = await service().as('almoxarife');
    const { id, ...plain } = await makeInvoice(service());
    expect(plain).toMatchObject({ operacao: null, armazenagem: null, transporte: null });
    const path = `${paths.invoices}/${id}`;
    const { body } = await client.put(path, { ...plain, operacao: 'ED', armazenagem: 'S', transporte: 'T' });
    expect(body).toMatchObject({ operacao: 'ED', armazenagem: 'S', transporte: 'T' });
    const { data } = await client.graphql(
      'mutation ($id: Int!, $input: NotaFiscalInput!) { atualizarNotaFiscal(id: $id, input: $input) { operacao armazenagem transporte } }',
      {
        id,
        input: {
          numeroNf: body.numero_nf,
          idFornecedor: body.id_fornecedor,
          idTransportadora: body.id_transportadora,
          operacao: 'OUTRA_REMESSA',
          armazenagem: 'FORNECEDOR',
        },
      },
    );
    expect(data.atualizarNotaFiscal).toEqual({
      operacao: 'OUTRA_REMESSA',
      armazenagem: 'FORNECEDOR',
      transporte: 'TERCEIRO',
    });
    const { body: problem } = await client.put(path, { ...plain, operacao: 'XX', transporte: 'S' });
    expect(problem.errors.map(({ field }: { field: string }) => field)).toEqual(['operacao', 'transporte']);
  });
});

describe('an import', () => {
  const text = async (records: string, ...lines: string[]): Promise<unknown> =>
    load(records, await file(lines.join('\n')));

  it('reads the table of codes, materials with their codes, and mixtures', async () => {
    await text('codigos-pf', 'codigo;nome;lista', 'TPN99990001;Exemplo;II', 'tpn99990002;Outro;');
    await text(
      'materiais',
      'titulo;descricao;estado_fisico;unidade_medida_sigla;codigo_pf;lista_pf;concentracao;densidade;ncm',
      'Solvente importado;P.A.;L;mL;TPN99990001;II;99,5;0,79;38249989',
    );
    await text(
      'substancias-controladas',
      'material_titulo;codigo_pf;concentracao',
      'Solvente importado;TPN99990002;5',
    );
    expect(
      await service().sql(
        `select m.codigo_pf, c.lista, m.concentracao, m.densidade, m.ncm, s.codigo_pf, s.concentracao from material m
         join codigo_pf c on c.codigo = m.codigo_pf join substancia_controlada s on s.id_material = m.id
         where m.titulo = 'Solvente importado'`,
      ),
    ).toEqual([['TPN99990001', 'II', 99.5, 0.79, '3824.99.89', 'TPN99990002', 5]]);
  });

  it('reads invoices with their Federal Police data, and corrects them', async () => {
    const head =
      'numero_nf;fornecedor_nome;transportadora_nome;data_emissao;operacao;armazenagem;transporte;armazem_empresa_nome';
    const [supplier, carrier] = ['Reagentes Paulista', 'Expresso Araucária'];
    const row = (transport: string, warehouse: string) =>
      `7001;${supplier};${carrier};05/11/2026;ed;s;${transport};${warehouse}`;
    const stored = () =>
      service().sql(
        `select n.data_emissao::text, n.operacao, n.armazenagem, n.transporte, e.nome from nota_fiscal n
         left join armazem a on a.id = n.id_armazem left join empresa e on e.id = a.id_empresa
         where n.numero_nf = '7001'`,
      );
    await text('notas-fiscais', head, row('t', carrier));
    expect(await stored()).toEqual([['2026-11-05', 'ED', 'S', 'T', carrier]]);
    await text('notas-fiscais', head, row('', ''));
    expect(await stored()).toEqual([['2026-11-05', 'ED', 'S', null, null]]);
    await expect(text('notas-fiscais', head, row('', supplier))).rejects.toThrow('armazem_empresa_nome');
  });

  it.each([
    ['codigo_pf', 'TPN1', 'TPN and 8 digits'],
    ['densidade', '0', 'a number above 0.005, and at most 99.99'],
    ['concentracao', '100,1', 'a number above 0, and at most 100'],
    ['ncm', '3824', 'an NCM such as 3824.99.89'],
  ])('refuses a wrong %s', async (column, value, expected) => {
    const lines = [`titulo;descricao;estado_fisico;unidade_medida_sigla;${column}`, `Novo;P.A.;L;L;${value}`];
    await expect(text('materiais', ...lines)).rejects.toThrow(expected);
  });
});
