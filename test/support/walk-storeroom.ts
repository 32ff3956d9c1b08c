import type { Face } from './faces.ts';
import type { Walkers } from './walk.ts';

const area = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };

type Body = Record<string, unknown>;

/** Creates a record, reads it and the list, and changes it. Returns its id. */
export async function made(face: Face, path: string, body: Body, changed: Body = body): Promise<number> {
  const { id } = await face.call(`POST ${path}`, { body });
  await face.call(`GET ${path}`);
  await face.call(`GET ${path}/{id}`, { keys: { id } });
  await face.call(`PUT ${path}/{id}`, { keys: { id }, body: changed });
  return id;
}

export const removed = (face: Face, path: string, id: number): Promise<unknown> =>
  face.call(`DELETE ${path}/{id}`, { keys: { id } });

export async function walkStoreroom({ admin, keeper, idPessoa }: Walkers, word: string): Promise<void> {
  const first: Record<string, any> = {};
  for (const name of [
    'unidades-medida',
    'tipos-controle',
    'locais',
    'tipos-movimentacao',
    'status-movimentacao',
  ]) {
    const { data } = await admin.call(`GET ${area}/${name}`);
    first[name] = data;
    await admin.call(`GET ${area}/${name}/{id}`, { keys: { id: data[0].id } });
  }
  const unit = first['unidades-medida'][0].id;
  const [local, outro] = first['locais'].map(({ id }: Body) => id);
  const controlled = first['tipos-controle'].find((one: Body) => one['exige_aprovacao'] === true).id;

  const icone = await made(admin, `${area}/icones-risco`, {
    icone: 'https://icones.example/x.svg',
    nome: word,
    descricao: word,
  });
  const classe = { id_icone_risco: icone, risco: word, descricao: null, ...authors };
  const classificacao = await made(admin, `${area}/classificacoes-risco`, classe);
  const tipo = await made(admin, `${area}/tipos-empresas`, { descricao: word, obriga_cnpj: 'N' });
  const empresaBody = { nome: word, cnpj: null, id_tipo_empresa: tipo, ...authors };
  const empresa = await made(admin, `${area}/empresas`, empresaBody);
  const materialBody = {
    titulo: word,
    catmat: null,
    descricao: word,
    id_unidade_medida: unit,
    numero_cas: null,
    estado_fisico: 'L',
    id_tipo_controle: null,
    ...authors,
  };
  const material = await made(admin, `${area}/materiais`, materialBody);
  const risk = { id_classificacao_risco: classificacao, id_material: material, ...authors };
  const risco = await made(admin, `${area}/riscos-material`, risk);

  const invoice = { numero_nf: word, id_transportadora: empresa, id_fornecedor: empresa, processo_sei: null };
  const nota = await made(admin, `${area}/notas-fiscais`, invoice);
  const batch = (of: number): Body => ({
    id_material: of,
    id_fabricante: empresa,
    cod_lote: word,
    data_venc: '2031-05-31',
    quantidade: 10,
    id_local: local,
  });
  const lote = await made(admin, `${area}/lotes`, batch(material), {
    ...batch(material),
    cod_lote: `${word} 2`,
  });
  const linked = { id_nota_fiscal: nota, id_lote: lote };
  const { id: item } = await admin.call(`POST ${area}/item-nota-fiscal`, { body: linked });
  await admin.call(`GET ${area}/item-nota-fiscal`);
  await admin.call(`GET ${area}/item-nota-fiscal/{id}:{idNotaFiscal}`, {
    keys: { id: item, idNotaFiscal: nota },
  });
  await admin.call(`PUT ${area}/item-nota-fiscal/{id}`, { keys: { id: item }, body: linked });

  const cell = { id_lote: lote, id_local_fim: local, id_local_armazenado: outro };
  await admin.call(`POST ${area}/estoques`, { body: { ...cell, quantidade: 5 } });
  await admin.call(`GET ${area}/estoques`);
  const keys = { id: lote, id_local_fim: local, id_local_armazenado: outro };
  await admin.call(`GET ${area}/estoques/{id}:{id_local_fim}:{id_local_armazenado}`, { keys });

  await walkMovements(
    { admin, keeper },
    {
      lote,
      local,
      empresa,
      batch,
      material: { ...materialBody, titulo: `${word} c`, id_tipo_controle: controlled },
    },
  );

  const manager = await admin.call(`POST ${area}/responsaveis-laboratorio`, {
    body: { id_local: outro, id_pessoa: idPessoa, data_fim: null },
  });
  await admin.call(`GET ${area}/responsaveis-laboratorio`);
  const one = { keys: { id: manager.id } };
  await admin.call(`GET ${area}/responsaveis-laboratorio/{id}`, one);
  await admin.call(`PUT ${area}/responsaveis-laboratorio/{id}`, { ...one, body: { data_fim: '2040-01-31' } });

  await removed(admin, `${area}/item-nota-fiscal`, item);
  await removed(admin, `${area}/notas-fiscais`, nota);
  const { id: unused } = await admin.call(`POST ${area}/lotes`, {
    body: { ...batch(material), cod_lote: `${word} 3` },
  });
  await removed(admin, `${area}/lotes`, unused);
  await removed(admin, `${area}/riscos-material`, risco);
  await removed(admin, `${area}/classificacoes-risco`, classificacao);
  await removed(admin, `${area}/icones-risco`, icone);
  for (const [path, body] of [
    ['materiais', { ...materialBody, titulo: `${word} u` }],
    ['empresas', { ...empresaBody, nome: `${word} u` }],
    ['tipos-empresas', { descricao: `${word} u`, obriga_cnpj: 'N' }],
  ] as const) {
    const { id } = await admin.call(`POST ${area}/${path}`, { body });
    await removed(admin, `${area}/${path}`, id);
  }
}

interface Stock {
  lote: number;
  local: number;
  empresa: number;
  batch: (material: number) => Body;
  /** A material that requires approval. */
  material: Body;
}

/** One person moves stock, another one approves. */
async function walkMovements(
  { admin, keeper }: Pick<Walkers, 'admin' | 'keeper'>,
  { lote, local, batch, material }: Stock,
): Promise<void> {
  const path = `${area}/movimentacoes-estoque`;
  const approvals = `${area}/aprova-movimentacoes`;
  const move = async (body: Body): Promise<number> => {
    const page = await keeper.call(`POST ${path}`, {
      body: { movimentacoes: [{ fl_estorno: 'N', quantidade: 1, ...body }] },
    });
    return page.data[0].id;
  };
  const consumed = await move({ id_lote: lote, id_tipo_movimentacao: 4, id_local_origem_fim: local });
  await admin.call(`GET ${path}`);
  await admin.call(`GET ${path}/{id}`, { keys: { id: consumed } });

  const { id: controlled } = await admin.call(`POST ${area}/materiais`, { body: material });
  const { id: guarded } = await keeper.call(`POST ${area}/lotes`, { body: batch(controlled) });
  const entry = { id_lote: guarded, id_tipo_movimentacao: 2, id_local_destino_fim: local };
  const [approved, rejected, dropped] = [await move(entry), await move(entry), await move(entry)];
  const { id_tipo_movimentacao: _, ...rest } = entry;
  const changed = { ...rest, quantidade: 2, fl_estorno: 'N' };
  await keeper.call(`PUT ${path}/{id}`, { keys: { id: approved }, body: changed });
  await keeper.call(`DELETE ${path}/{id}`, { keys: { id: dropped } });
  const { data } = await admin.call(`GET ${approvals}`);
  await admin.call(`GET ${approvals}/{id}`, { keys: { id: data[0].id } });
  await admin.call(`POST ${approvals}`, { body: { id_movimentacao: approved } });
  await admin.call(`POST ${approvals}`, {
    body: { id_movimentacao: rejected, motivo: 'não' },
    query: { rejeitar: 'true' },
  });
}
