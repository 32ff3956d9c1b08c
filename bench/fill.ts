import type { Client } from 'pg';

export const grades = [
  'P.A.',
  'P.A. ACS',
  'grau HPLC',
  'grau UV/HPLC',
  'grau técnico',
  'USP',
  'extra puro',
  'para síntese',
  'para análise de traços',
  'para biologia molecular',
  'padrão analítico',
  'reagente de referência',
];
export const packages = [
  'ampola',
  'bisnaga',
  'bombona',
  'caixa com 6',
  'caixa com 12',
  'frasco âmbar',
  'frasco de polietileno',
  'frasco de vidro',
  'galão',
  'kit',
  'sachê',
  'tambor',
];
const suppliers = [
  'Alfa Reagentes',
  'Atlântica',
  'Boreal Química',
  'Cerrado Lab',
  'Delta Analítica',
  'Érgon',
  'Guanabara',
  'Ipê Química',
  'Meridional',
  'Órion',
  'Planalto',
  'Tropical Lab',
];

/** Variants of the demo materials, with the units, control types and hazards of the originals, up to `$1` rows. */
const MATERIALS = `
insert into material (id, titulo, catmat, descricao, numero_cas, estado_fisico, link_fispq, id_unidade_medida, id_tipo_controle)
select $1::int + n,
  titulo || ' ' || ($3::text[])[1 + n / $1 % 12] || ', ' || ($4::text[])[1 + n / $1 / 12 % 12] || ', '
    || ($5::text[])[1 + n / $1 / 144 % 12],
  catmat, descricao, numero_cas, estado_fisico, 'https://fispq.example/' || n, id_unidade_medida, id_tipo_controle
from generate_series(1, $2::int - $1::int) n join material on material.id = 1 + (n - 1) % $1`;

const HAZARDS = `
insert into risco_material (id_material, id_classificacao_risco)
select m.id, r.id_classificacao_risco
from material m join risco_material r on r.id_material = 1 + (m.id - 1) % $1
where m.id > $1`;

/** Fills a database that holds the demo data up to so many materials. */
export async function fillMaterials(client: Client, rows: number): Promise<void> {
  const { rows: found } = await client.query<{ demo: number }>('select max(id) as demo from material');
  const { demo } = found[0]!;
  await client.query(MATERIALS, [demo, rows, grades, packages, suppliers]);
  // PostgreSQL knows the table as that of the demo, and would read it once for each hazard.
  await client.query('analyze material');
  await client.query(HAZARDS, [demo]);
  await client.query(`select setval('material_id_seq', (select max(id) from material))`);
}
