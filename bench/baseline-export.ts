import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { to as copyTo } from 'pg-copy-streams';
import { pool } from './baseline-pool.ts';

/** Text that a spreadsheet would take for a formula is marked, as in the service's files. */
const text = (column: string): string =>
  `case when ${column} ~ '^[=+\\-@\\t\\r]' then '''' || ${column} else ${column} end`;
const local = (column: string): string => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;

const COLUMNS: [title: string, sql: string][] = [
  ['Código', 'm.id'],
  ['Título', text('m.titulo')],
  ['Descrição', text('m.descricao')],
  ['CATMAT', text('m.catmat')],
  ['Número CAS', text('m.numero_cas')],
  ['Estado físico', text('m.estado_fisico')],
  ['Unidade de medida', text('u.sigla')],
  ['Tipo de controle', text('t.descricao')],
  ['Órgão controlador', text('t.orgao_controlador')],
  ['FISPQ', text('m.fispq')],
  ['Link da FISPQ', text('m.link_fispq')],
  ['Criado em', local('m.criado_em')],
  ['Alterado em', local('m.alterado_em')],
];

const COPY = `copy (
select ${COLUMNS.map(([, sql]) => sql).join(', ')}
from material m join unidade_medida u on u.id = m.id_unidade_medida left join tipo_controle t on t.id = m.id_tipo_controle
order by m.id
) to stdout (format csv, delimiter ';')`;

/** The whole list of materials as csv, made by PostgreSQL; its lines end as COPY ends them. */
export async function exportMaterials(_req: Request, res: Response): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set time zone 'America/Sao_Paulo'`);
    res.setHeader('Content-Type', 'text/csv; charset=utf-8');
    res.write(`\uFEFF${COLUMNS.map(([title]) => title).join(';')}\n`);
    await pipeline(client.query(copyTo(COPY)), res);
  } finally {
    client.release();
  }
}
