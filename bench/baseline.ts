import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Pool } from 'pg';
import { graphqlMaterial, restMaterial, restRisk } from './baseline-records.ts';
import * as sql from './baseline-sql.ts';

/** What the service is compared with: the same answers by hand, in the plainest way that is right. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const checksAccess = process.env['BASELINE_AUTH'] === 'true';

async function authorize(req: Request, res: Response, next: NextFunction): Promise<void> {
  const digest = createHash('sha256')
    .update(req.get('token') ?? '')
    .digest();
  const { rows } = await pool.query(sql.session, [digest, 'SII', 'almoxarifadoquimicos/materiais']);
  if (rows.length === 0) return void res.status(401).json({ code: 'UNAUTHENTICATED' });
  if (rows[0].nivel < 1) return void res.status(403).json({ code: 'FORBIDDEN' });
  next();
}

interface PageRequest {
  page: number;
  itemsPerPage: number;
  order: 'asc' | 'desc';
}

function pageRequest(given: Record<string, unknown>): PageRequest | undefined {
  const page = Number(given['page'] ?? 1);
  const itemsPerPage = Number(given['itemsPerPage'] ?? 10);
  const order = given['orderByTitulo'] ?? 'asc';
  const isPage = Number.isInteger(page) && page >= 1;
  const isSize = Number.isInteger(itemsPerPage) && itemsPerPage >= 1 && itemsPerPage <= 1000;
  return isPage && isSize && (order === 'asc' || order === 'desc')
    ? { page, itemsPerPage, order }
    : undefined;
}

const limits = ({ page, itemsPerPage }: PageRequest): number[] => [itemsPerPage, (page - 1) * itemsPerPage];

/** The hazards of materials, by the material's id. */
async function risksOf(ids: number[]): Promise<Map<number, object[]>> {
  const { rows } = await pool.query(sql.risks, [ids]);
  const risks = new Map<number, object[]>(ids.map(id => [id, []]));
  for (const row of rows) risks.get(row.id_material)!.push(restRisk(row));
  return risks;
}

async function restList(req: Request, res: Response): Promise<void> {
  const asked = pageRequest(req.query);
  if (!asked) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const [list, count] = await Promise.all([
    pool.query(sql.restList(asked.order), limits(asked)),
    pool.query(sql.count),
  ]);
  const risks = await risksOf(list.rows.map(row => row.id));
  const total = Number(count.rows[0].total);
  res.json({
    data: list.rows.map(row => restMaterial(row, risks.get(row.id)!)),
    total,
    page: asked.page,
    itemsPerPage: asked.itemsPerPage,
    totalPages: Math.ceil(total / asked.itemsPerPage),
  });
}

async function restSingle(req: Request, res: Response): Promise<void> {
  const id = Number(req.params['id']);
  if (!Number.isInteger(id)) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const [material, risks] = await Promise.all([pool.query(sql.restSingle, [id]), risksOf([id])]);
  if (material.rows.length === 0) return void res.status(404).json({ code: 'NOT_FOUND' });
  res.json(restMaterial(material.rows[0], risks.get(id)!));
}

async function plainList(req: Request, res: Response): Promise<void> {
  const asked = pageRequest(req.body);
  if (!asked) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const [list, count] = await Promise.all([
    pool.query(sql.graphqlList(asked.order), limits(asked)),
    pool.query(sql.count),
  ]);
  const total = Number(count.rows[0].total);
  res.json({ data: { materiais: { total, data: list.rows.map(graphqlMaterial) } } });
}

async function plainSingle(req: Request, res: Response): Promise<void> {
  if (!Number.isInteger(req.body.id)) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const { rows } = await pool.query(sql.graphqlSingle, [req.body.id]);
  res.json({ data: { material: rows.length > 0 ? graphqlMaterial(rows[0]) : null } });
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
if (checksAccess) app.use(authorize);
app.get('/almoxarifadoquimicos/materiais', restList);
app.get('/almoxarifadoquimicos/materiais/:id', restSingle);
app.post('/materiais', express.json(), plainList);
app.post('/material', express.json(), plainSingle);

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
