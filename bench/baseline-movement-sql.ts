import { columns, RECORD } from './baseline-sql.ts';

/** The statements of the baseline's movement, and the records made of its row. */

/** A row as `pg` hands it out. */
type Row = Record<string, unknown>;

const PLACE = [...RECORD, 'nome', 'sigla', 'id_lotacao', 'restrito', 'finalidade'];
const COMPANY = [...RECORD, 'nome', 'cnpj', 'id_tipo_empresa'];
const shown = {
  l: [...RECORD, 'id_material', 'id_fabricante', 'cod_lote', 'data_venc', 'quantidade', 'motivo', 'id_local'],
  m: [
    ...RECORD,
    'titulo',
    'catmat',
    'descricao',
    'numero_cas',
    'estado_fisico',
    'fispq',
    'link_fispq',
    'codigo_pf',
    'lista_pf',
    'ncm',
    'concentracao',
    'densidade',
    'rotulo_exercito',
    'id_unidade_medida',
    'id_tipo_controle',
  ],
  u: [...RECORD, 'descricao', 'sigla', 'unidade_controle', 'fator_controle'],
  c: [...RECORD, 'descricao', 'orgao_controlador', 'exige_aprovacao', 'mapa_pf'],
  f: COMPANY,
  ll: PLACE,
  ld: PLACE,
  t: [...RECORD, 'descricao', 'exige_origem', 'exige_destino'],
  s: [...RECORD, 'descricao'],
  n: [
    ...RECORD,
    'numero_nf',
    'id_transportadora',
    'id_fornecedor',
    'data_emissao',
    'data_recebimento',
    'processo_sei',
    'link_nf',
    'operacao',
    'armazenagem',
    'transporte',
    'id_armazem',
  ],
  nt: COMPANY,
  nf: COMPANY,
  of: PLACE,
  oa: PLACE,
  df: PLACE,
  da: PLACE,
  ofl: [...RECORD, 'nome', 'sigla'],
  oal: [...RECORD, 'nome', 'sigla'],
  dfl: [...RECORD, 'nome', 'sigla'],
  dal: [...RECORD, 'nome', 'sigla'],
};
type Alias = keyof typeof shown;

const placeWithUnit = (alias: string, side: string): string =>
  `left join local ${alias} on ${alias}.id = v.id_local_${side} left join lotacao ${alias}l on ${alias}l.id = ${alias}.id_lotacao`;

export const readMovement = `select v.*, l.id_local_destino as l_id_local_destino,
  ${Object.entries(shown)
    .map(([alias, names]) => columns(alias, names))
    .join(',\n  ')}
from movimentacao v
join lote l on l.id = v.id_lote
join material m on m.id = l.id_material
join unidade_medida u on u.id = m.id_unidade_medida
left join tipo_controle c on c.id = m.id_tipo_controle
join empresa f on f.id = l.id_fabricante
left join local ll on ll.id = l.id_local
left join local ld on ld.id = l.id_local_destino
join tipo_movimentacao t on t.id = v.id_tipo_movimentacao
join status_movimentacao s on s.id = v.id_status_movimentacao
left join nota_fiscal n on n.id = v.id_nota_fiscal
left join empresa nt on nt.id = n.id_transportadora
left join empresa nf on nf.id = n.id_fornecedor
${placeWithUnit('of', 'origem_fim')}
${placeWithUnit('oa', 'origem_arm')}
${placeWithUnit('df', 'destino_fim')}
${placeWithUnit('da', 'destino_arm')}
where v.id = $1`;

/** Names of columns with their names in the row, by table. */
const cells = Object.fromEntries(
  Object.entries(shown).map(([alias, names]) => [
    alias,
    names.map(name => [name, `${alias}_${name}`] as const),
  ]),
) as Record<Alias, (readonly [string, string])[]>;

/** The record of one table, with what is linked to it; null when there is none. */
function record(row: Row, alias: Alias, links: Row = {}): Row | null {
  if (row[`${alias}_id`] === null) return null;
  const made: Row = {};
  for (const [name, cell] of cells[alias]) made[name] = row[cell];
  return Object.assign(made, links);
}

const place = (row: Row, alias: 'of' | 'oa' | 'df' | 'da'): Row | null =>
  record(row, alias, { lotacao: record(row, `${alias}l`) });

/** A movement with its links, as the REST face shows it. */
export const restMovement = (row: Row): Row => ({
  id: row['id'],
  criado_em: row['criado_em'],
  alterado_em: row['alterado_em'],
  criado_por: row['criado_por'],
  alterado_por: row['alterado_por'],
  id_lote: row['id_lote'],
  lote: record(row, 'l', {
    material: record(row, 'm', { avisos: null }),
    fabricante: record(row, 'f', { avisos: null }),
    local: record(row, 'll'),
    id_local_destino: row['l_id_local_destino'],
    local_destino: record(row, 'ld'),
  }),
  id_tipo_movimentacao: row['id_tipo_movimentacao'],
  tipo_movimentacao: record(row, 't'),
  id_status_movimentacao: row['id_status_movimentacao'],
  status_movimentacao: record(row, 's'),
  id_local_origem_fim: row['id_local_origem_fim'],
  local_origem_fim: place(row, 'of'),
  id_local_destino_fim: row['id_local_destino_fim'],
  local_destino_fim: place(row, 'df'),
  id_local_origem_arm: row['id_local_origem_arm'],
  local_origem_arm: place(row, 'oa'),
  id_local_destino_arm: row['id_local_destino_arm'],
  local_destino_arm: place(row, 'da'),
  quantidade: row['quantidade'],
  observacao: row['observacao'],
  fl_estorno: row['fl_estorno'],
  quantidade_estornada: row['quantidade_estornada'],
  quantidade_em_estorno: row['quantidade_em_estorno'],
  // Nothing undoes a movement that was just registered, and none of the scenarios is a reversal.
  estornos: [],
  estornada_por: [],
  id_nota_fiscal: row['id_nota_fiscal'],
  nota_fiscal: record(row, 'n', {
    transportadora: record(row, 'nt', { avisos: null }),
    fornecedor: record(row, 'nf', { avisos: null }),
    // Warehouses are rare: none of the scenarios has one.
    armazem: null,
    avisos: null,
  }),
  data: row['data'],
  finalidade: row['finalidade'],
  ciente_vencimento: row['ciente_vencimento'],
  lote_vencido: row['lote_vencido'],
  avisos: null,
  unidade_medida: record(row, 'u'),
  material: record(row, 'm', {
    unidade_medida: record(row, 'u'),
    tipo_controle: record(row, 'c'),
    avisos: null,
  }),
});

export const sayWho = `select set_config('sii.id_pessoa', $1, true), set_config('sii.id_sistema', $2, true),
  set_config('sii.endereco', $3, true), set_config('sii.requisicao', $4, true)`;

export const isControlled = `select coalesce(c.exige_aprovacao, false) as controlled
from lote l join material m on m.id = l.id_material left join tipo_controle c on c.id = m.id_tipo_controle
where l.id = $1`;

export const lockCell = `select id, quantidade from estoque
where id_lote = $1 and id_local_fim = $2 and id_local_armazenado = $3 for update`;

export const makeCell = `insert into estoque (id_lote, id_local_fim, id_local_armazenado, criado_por, alterado_por)
values ($1, $2, $3, $4, $4) on conflict do nothing`;

export const changeCell = `update estoque set quantidade = $2, alterado_em = now(), alterado_por = $3 where id = $1`;

export const insertMovement = `insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao,
  id_local_origem_fim, id_local_origem_arm, id_local_destino_fim, id_local_destino_arm, quantidade, observacao,
  fl_estorno, id_nota_fiscal, criado_por, alterado_por)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) returning id`;

export const insertRequest = `insert into solicitacao_aprovacao (id_movimentacao, solicitado_por, criado_por, alterado_por)
values ($1, $2, $2, $2)`;
