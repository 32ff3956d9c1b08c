/** The statements of the baseline's lists with their neighbourhood. */

/** Stock of the materials whose title contains a text. */
export const stockOfTitle = `select coalesce(json_agg(r), '[]') as list from (
  select e.id, e.quantidade,
    json_build_object('codLote', l.cod_lote, 'material', json_build_object('id', m.id, 'titulo', m.titulo)) as lote,
    json_build_object('id', f.id, 'sigla', f.sigla) as "localFim"
  from estoque e
  join lote l on l.id = e.id_lote
  join material m on m.id = l.id_material
  join local f on f.id = e.id_local_fim
  where m.titulo_busca like contains_pattern($1)
  order by e.quantidade desc, e.id limit $2
) r`;

/** Materials, the batches of each, and the movements of each batch. */
export const nested = `select coalesce(json_agg(r), '[]') as list from (
  select m.id, m.titulo, json_build_object('data', lotes.list) as lotes
  from material m
  cross join lateral (select coalesce(json_agg(b), '[]') as list from (
    select l.id, l.cod_lote as "codLote", json_build_object('data', movimentacoes.list) as movimentacoes
    from lote l
    cross join lateral (select coalesce(json_agg(v), '[]') as list from (
      select v.id, v.quantidade, json_build_object('descricao', t.descricao) as "tipoMovimentacao"
      from movimentacao v join tipo_movimentacao t on t.id = v.id_tipo_movimentacao
      where v.id_lote = l.id order by v.id limit $1
    ) v) movimentacoes
    where l.id_material = m.id order by l.id limit $1
  ) b) lotes
  order by m.id limit $1
) r`;

/** Movements by material: the materials of which most was moved. */
export const groups = `select coalesce(json_agg(r), '[]') as list from (
  select json_build_object('lote', json_build_object('material', json_build_object('id', m.id, 'titulo', m.titulo))) as key,
    count(*)::int as count, json_build_object('quantidade', sum(v.quantidade)) as sum
  from movimentacao v join lote l on l.id = v.id_lote join material m on m.id = l.id_material
  group by m.id order by sum(v.quantidade) desc, m.id limit $1
) r`;

/** The materials after one, by title. */
export const materialsAfter = `select m.id, m.titulo, m.numero_cas as "numeroCas",
  json_build_object('id', u.id, 'sigla', u.sigla) as "unidadeMedida"
from material m join unidade_medida u on u.id = m.id_unidade_medida
where m.titulo collate "pt_br" >= $1 and (m.titulo collate "pt_br" > $1 or m.id > $2)
order by m.titulo collate "pt_br", m.id limit $3`;
