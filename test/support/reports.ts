import { expect } from 'vitest';
import type { Client } from './client.ts';
import type { TestService } from './service.ts';
import type { Body } from './stock.ts';

const root = '/relatorios';

export const storeroomReports = {
  stocked: `${root}/almoxarifado-quimicos/materiais-estocados`,
  left: `${root}/almoxarifado-quimicos/saida-materiais`,
  controlled: `${root}/almoxarifado-quimicos/materiais-controlados`,
  moved: `${root}/almoxarifado-quimicos/movimentacoes-materiais-controlados`,
} as const;

export const planReports = {
  teachers: `${root}/planos-ensino/docentes-plano-tramitacao`,
  course: `${root}/planos-ensino/situacao-planos-curso`,
  department: `${root}/planos-ensino/situacao-planos-departamento`,
  step: `${root}/planos-ensino/tramitacao-atual-curso`,
  all: `${root}/planos-ensino/planos-cadastrados`,
  time: `${root}/planos-ensino/planos-situacao-tempo`,
} as const;

/** The month before this one. The demo's movements of it are all there, whenever the tests run. */
export async function lastMonth(service: TestService): Promise<{ ano: number; mes: number }> {
  const [[ano, mes]] = (await service.sql(
    `select extract(year from d)::int, extract(month from d)::int from (select now() - interval '1 month' as d) m`,
  )) as [[number, number]];
  return { ano, mes };
}

/** Every row of a report, page by page where it has pages. */
export async function rowsOf(
  client: Client,
  path: string,
  query: Record<string, string> = {},
): Promise<Body[]> {
  const rows: Body[] = [];
  for (let page = 1; ; page += 1) {
    const asked = new URLSearchParams({ ...query, itemsPerPage: '1000', page: String(page) });
    const { status, body } = await client.get(`${path}?${String(asked)}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    rows.push(...body.data);
    if (page >= body.totalPages) return rows;
  }
}

/** Sums of what `amount` says of each item, by what `key` says. */
export function sums<T>(
  items: readonly T[],
  key: (item: T) => string,
  amount: (item: T) => number,
): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const item of items) totals[key(item)] = (totals[key(item)] ?? 0) + amount(item);
  return Object.fromEntries(Object.entries(totals).filter(([, total]) => total !== 0));
}
