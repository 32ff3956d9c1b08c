import { json, type Express, type Request, type RequestHandler, type Response } from 'express';
import { query } from './baseline-pool.ts';
import * as sql from './baseline-graph-sql.ts';

/** Answers with the list that PostgreSQL writes as JSON, below the name of the service's list. */
const answer =
  (
    name: string,
    field: string,
    text: string,
    valuesOf: (body: Record<string, unknown>) => unknown[] | undefined,
  ) =>
  async (req: Request, res: Response): Promise<void> => {
    const values = valuesOf(req.body);
    if (!values) return void res.status(400).json({ code: 'BAD_REQUEST' });
    const { rows } = await query(text, values);
    res.json({ data: { [name]: { [field]: rows[0].list } } });
  };

const isText = (value: unknown): value is string => typeof value === 'string';
const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) <= 1000;

/** A page by cursor, which is the title and the key of the last material before it. */
async function pageAfter(req: Request, res: Response): Promise<void> {
  const { after, size } = req.body as { after?: unknown; size?: unknown };
  if (!Array.isArray(after) || !isText(after[0]) || !Number.isInteger(after[1]) || !isSize(size))
    return void res.status(400).json({ code: 'BAD_REQUEST' });
  const { rows } = await query(sql.materialsAfter, [...after, size + 1]);
  const data = rows.slice(0, size);
  const last = data.at(-1);
  const nextCursor =
    rows.length > size ? Buffer.from(JSON.stringify([last.titulo, last.id])).toString('base64url') : null;
  res.json({ data: { materiais: { nextCursor, data } } });
}

/** Lists with their neighbourhood, as a handler for one client would read them: one statement each. */
export function serveGraph(app: Express, reader: (...controllers: string[]) => RequestHandler): void {
  const [stock, materials] = [reader('estoques'), reader('materiais')];
  const neighbourhood = reader('materiais', 'lotes', 'movimentacoes-estoque');
  const titled = ({ titulo, size }: Record<string, unknown>): unknown[] | undefined =>
    isText(titulo) && isSize(size) ? [titulo, size] : undefined;
  const sized = ({ size }: Record<string, unknown>): unknown[] | undefined =>
    isSize(size) ? [size] : undefined;
  app.post('/graph/link', stock, json(), answer('estoques', 'data', sql.stockOfTitle, titled));
  app.post('/graph/nested', neighbourhood, json(), answer('materiais', 'data', sql.nested, sized));
  app.post(
    '/graph/groups',
    reader('movimentacoes-estoque'),
    json(),
    answer('movimentacoesEstoque', 'groups', sql.groups, sized),
  );
  app.post('/graph/cursor', materials, json(), pageAfter);
}
