import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { pino } from 'pino';
import { exportMaterials } from './baseline-export.ts';
import { serveGraph } from './baseline-graph.ts';
import { logIn } from './baseline-login.ts';
import { createMovement } from './baseline-movement.ts';
import { stockPdf } from './baseline-pdf.ts';
import { query } from './baseline-pool.ts';
import { graphqlMaterial, restMaterial, restRisk } from './baseline-records.ts';
import * as sql from './baseline-sql.ts';

/** The baseline of the comparison: the same answers, written by hand in the simplest correct way. */
const checksAccess = process.env['BASELINE_AUTH'] === 'true';

const digestOf = (token: string | undefined): Buffer =>
  createHash('sha256')
    .update(token ?? '')
    .digest();

/** Admits callers with this level on each of these controllers. */
const authorize =
  (level: number, ...controllers: string[]) =>
  async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const digest = digestOf(req.get('token'));
    const names = controllers.map(name => `almoxarifadoquimicos/${name}`);
    const { rows } =
      names.length > 1
        ? await query(sql.sessionOfAll, [digest, 'SII', names])
        : await query(sql.session, [digest, 'SII', ...names]);
    if (rows.length === 0) return void res.status(401).json({ code: 'UNAUTHENTICATED' });
    if (rows[0].nivel < level) return void res.status(403).json({ code: 'FORBIDDEN' });
    res.locals['caller'] = rows[0];
    next();
  };

const STOCK_REPORT = '/relatorios/almoxarifado-quimicos/materiais-estocados';

const log = pino();

/** One line for each request, as any service that is operated. */
function logRequest(req: Request, res: Response, next: NextFunction): void {
  const start = performance.now();
  res.once('close', () =>
    log.info(
      { method: req.method, path: req.path, status: res.statusCode, ms: performance.now() - start },
      'request',
    ),
  );
  next();
}

const pass = (_req: Request, _res: Response, next: NextFunction): void => next();

async function identify(req: Request, res: Response, next: NextFunction): Promise<void> {
  res.locals['caller'] = (await query(sql.caller, [digestOf(req.get('token'))])).rows[0];
  next();
}

interface PageRequest {
  page: number;
  itemsPerPage: number;
  order: 'asc' | 'desc';
  titulo: string | undefined;
}

function pageRequest(given: Record<string, unknown>): PageRequest | undefined {
  const page = Number(given['page'] ?? 1);
  const itemsPerPage = Number(given['itemsPerPage'] ?? 10);
  const order = given['orderByTitulo'] ?? 'asc';
  const isPage = Number.isInteger(page) && page >= 1;
  const titulo = given['titulo'];
  if (titulo !== undefined && typeof titulo !== 'string') return undefined;
  const isSize = Number.isInteger(itemsPerPage) && itemsPerPage >= 1 && itemsPerPage <= 1000;
  return isPage && isSize && (order === 'asc' || order === 'desc')
    ? { page, itemsPerPage, order, titulo }
    : undefined;
}

/** The rows of a page by one of the statements, and how many there are in all. */
async function pageOf(
  statement: (order: 'asc' | 'desc', filtered: boolean) => string,
  { page, itemsPerPage, order, titulo }: PageRequest,
) {
  const filter = titulo === undefined ? [] : [titulo];
  const isFiltered = titulo !== undefined;
  const [list, count] = await Promise.all([
    query(statement(order, isFiltered), [...filter, itemsPerPage, (page - 1) * itemsPerPage]),
    query(sql.count(isFiltered), filter),
  ]);
  return { rows: list.rows, total: Number(count.rows[0].total) };
}

/** The hazards of materials, by the material's id. */
async function risksOf(ids: number[]): Promise<Map<number, object[]>> {
  const { rows } = await query(sql.risks, [ids]);
  const risks = new Map<number, object[]>(ids.map(id => [id, []]));
  for (const row of rows) risks.get(row.id_material)!.push(restRisk(row));
  return risks;
}

async function restList(req: Request, res: Response): Promise<void> {
  if (req.query['export'] === 'true') return exportMaterials(req, res);
  const asked = pageRequest(req.query);
  if (!asked) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const { rows, total } = await pageOf(sql.restList, asked);
  const risks = await risksOf(rows.map(row => row.id));
  res.json({
    data: rows.map(row => restMaterial(row, risks.get(row.id)!)),
    total,
    page: asked.page,
    itemsPerPage: asked.itemsPerPage,
    totalPages: Math.ceil(total / asked.itemsPerPage),
  });
}

async function restSingle(req: Request, res: Response): Promise<void> {
  const id = Number(req.params['id']);
  if (!Number.isInteger(id)) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const [material, risks] = await Promise.all([query(sql.restSingle, [id]), risksOf([id])]);
  if (material.rows.length === 0) return void res.status(404).json({ code: 'NOT_FOUND' });
  res.json(restMaterial(material.rows[0], risks.get(id)!));
}

async function plainList(req: Request, res: Response): Promise<void> {
  const asked = pageRequest(req.body);
  if (!asked) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const { rows, total } = await pageOf(sql.graphqlList, asked);
  res.json({ data: { materiais: { total, data: rows.map(graphqlMaterial) } } });
}

async function plainSingle(req: Request, res: Response): Promise<void> {
  if (!Number.isInteger(req.body.id)) return void res.status(400).json({ code: 'BAD_REQUEST' });
  const { rows } = await query(sql.graphqlSingle, [req.body.id]);
  res.json({ data: { material: rows.length > 0 ? graphqlMaterial(rows[0]) : null } });
}

const app = express();
app.use(logRequest);
app.disable('x-powered-by');
app.disable('etag');
const reader = checksAccess ? authorize(1, 'materiais') : pass;
const reporter = checksAccess ? authorize(1, 'materiais-estocados') : pass;
const mover = checksAccess ? authorize(2, 'movimentacoes-estoque') : identify;
app.get('/almoxarifadoquimicos/materiais', reader, restList);
app.get('/almoxarifadoquimicos/materiais/:id', reader, restSingle);
app.get(STOCK_REPORT, reporter, stockPdf);
serveGraph(app, (...controllers) => (checksAccess ? authorize(1, ...controllers) : pass));
app.post('/auth/login', express.json(), logIn);
app.post('/materiais', reader, express.json(), plainList);
app.post('/material', reader, express.json(), plainSingle);
app.post('/almoxarifadoquimicos/movimentacoes-estoque', mover, express.json(), createMovement);

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
