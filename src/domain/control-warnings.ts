import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Registro } from '../entities/registro.ts';
import type { Call } from '../request/call.ts';
import { companyRoles } from './control-advice.ts';
import {
  COMPANY_FACTS,
  COMPANY_FINDINGS,
  INVOICE_FACTS,
  INVOICE_FINDINGS,
  MATERIAL_FACTS,
  MATERIAL_FINDINGS,
  MOVEMENT_FINDINGS,
  UNIT_FINDINGS,
  WITH_INVOICE,
  type Finding,
} from './control-findings.ts';
import { CONTROLLED_PRODUCTS, leftAt, PURPOSE } from './controlled-products.ts';
import { EFETIVADA, ENTRADAS } from './movement.ts';
import type { Complete } from './records.ts';

/** Findings, and the SQL of the facts `f` about the records `$1`, each with the key of its record (`chave`). */
type Part = readonly [findings: readonly Finding[], facts: string];

/** The findings about records of one kind. */
export type Subject = readonly Part[];

export const MATERIAL: Subject = [
  [
    MATERIAL_FINDINGS,
    `select f.id_material as chave, f.* from (${MATERIAL_FACTS}) f where f.id_material = any ($1::int[])`,
  ],
];

/** Units of controlled materials. */
export const UNIT: Subject = [
  [
    UNIT_FINDINGS,
    `select f.id_unidade_medida as chave, f.* from (${MATERIAL_FACTS}) f where f.id_unidade_medida = any ($1::int[])`,
  ],
];

/** Batches `l` of controlled materials, each looked up: a join would find all controlled materials first. */
const CONTROLLED = `join lateral (
  select * from (${CONTROLLED_PRODUCTS}) p where p.id_material = l.id_material offset 0
) p on true`;

/** Movements `v` of controlled materials that the map reports with their invoice `n`: not those undone in their month. */
const CAME_WITH = `
select from movimentacao v
join lote l on l.id = v.id_lote
${CONTROLLED}
where v.id_nota_fiscal = n.id and ${WITH_INVOICE}
  and ${leftAt(`date_trunc('month', v.data) + interval '1 month'`)} > 0`;

/** Invoices of controlled materials, once for each direction. */
const invoices = (which: string): string => `
select n.id as id_nota_fiscal, d.entra
from nota_fiscal n cross join (values (true), (false)) d (entra)
where ${which} and exists (${CAME_WITH} and v.id_tipo_movimentacao in ${ENTRADAS} = d.entra)`;

const NAMED = invoices('n.id = any ($1::int[])');

/** The companies of invoices `k`, looked up for each: a join would find those of all invoices first. */
const COMPANIES_OF_EACH = `cross join lateral (${COMPANY_FACTS} offset 0) f`;

/** Findings about invoices `k` and their companies, by the key that `k` has for them. */
const aboutInvoices = (k: string): Subject => [
  [INVOICE_FINDINGS, `select k.chave, f.* from (${k}) k cross join lateral (${INVOICE_FACTS}) f`],
  [COMPANY_FINDINGS, `select k.chave, f.* from (${k}) k ${COMPANIES_OF_EACH}`],
];

export const INVOICE = aboutInvoices(`select i.id_nota_fiscal as chave, i.* from (${NAMED}) i`);

/** Those of the companies `$1` that lack something in any role. Only their invoices are read, which may be many. */
const INCOMPLETE = `
select f.id_empresa from (
  select e.id as id_empresa, e.nome as empresa, e.cnpj, x.papel
  from empresa e cross join unnest('{${Object.keys(companyRoles).join(', ')}}'::text[]) x (papel)
  where e.id = any ($1::int[])
) f where ${COMPANY_FINDINGS.map(({ when }) => `(${when})`).join(' or ')}`;

/** Companies that the map names with an invoice. */
export const COMPANY: Subject = [
  [
    COMPANY_FINDINGS,
    `with incomplete as materialized (${INCOMPLETE})
    select f.id_empresa as chave, f.* from (${invoices(`n.id = any (array(
      select id from nota_fiscal where id_fornecedor in (select * from incomplete)
      union select id from nota_fiscal where id_transportadora in (select * from incomplete)
      union select o.id from nota_fiscal o join armazem a on a.id = o.id_armazem
        where a.id_empresa in (select * from incomplete)
    ))`)}) k ${COMPANIES_OF_EACH} where f.id_empresa = any ($1::int[])`,
  ],
];

/** Movements, as if they needed no approval. Their author knows that they wait for approval. */
const MOVEMENT: Subject = [
  [
    MOVEMENT_FINDINGS,
    `select v.id as chave, ${EFETIVADA} as status, v.id_tipo_movimentacao as tipo, v.fl_estorno = 'S' as estorno,
      ${PURPOSE} as finalidade, v.id_nota_fiscal, coalesce(n.id is not null and ${WITH_INVOICE}, false) as com_nota,
      exists (
        select from estorno x join movimentacao y on y.id = x.id_estornada
        where x.id_movimentacao = v.id and y.data < date_trunc('month', v.data)
      ) as outro_mes
    from movimentacao v
    join lote l on l.id = v.id_lote
    ${CONTROLLED}
    left join "local" o on o.id = v.id_local_origem_fim
    left join nota_fiscal n on n.id = v.id_nota_fiscal
    where v.id = any ($1::int[])`,
  ],
];

/** The invoices with which the map reports the movements `$1`, each with the key of its movement. */
const REPORTED_WITH = `
select v.id as chave, n.id as id_nota_fiscal, v.id_tipo_movimentacao in ${ENTRADAS} as entra
from movimentacao v
join nota_fiscal n on n.id = v.id_nota_fiscal
join lote l on l.id = v.id_lote
${CONTROLLED}
where v.id = any ($1::int[]) and ${WITH_INVOICE}`;

/**
 * Movements, and if one of them has an invoice (`withInvoice`) also their invoices. These may have been registered before,
 * so nobody was told.
 */
export const ofMovements = (withInvoice: boolean): Subject =>
  withInvoice ? [...MOVEMENT, ...aboutInvoices(REPORTED_WITH)] : MOVEMENT;

/** What the monthly map of controlled chemicals lacks of these records: sentences by key of the record. */
export async function lacking(
  em: EntityManager,
  subject: Subject,
  keys: readonly number[],
  { context }: Call,
): Promise<Map<number, string[]>> {
  const findings = subject.flatMap(([some]) => some);
  const rows = await transactionReader(em).rows(statementOf(subject), [keys]);
  const found = new Map<number, string[]>();
  for (const [key, nth] of rows as [number, number][]) {
    const { field, advice } = findings[nth]!;
    found.set(key, [...(found.get(key) ?? []), `${field}: ${advice[context.language]}`]);
  }
  return found;
}

/** The numbers of the findings of each record. Several facts may have the same finding. */
function statementOf(subject: Subject): string {
  let nth = 0;
  const parts = subject.map(
    ([findings, facts]) => `select f.chave, d.nth from (${facts}) f
  cross join lateral (values ${findings.map(({ when }) => `(${nth++}, ${when})`).join(', ')}) d (nth, falta)
  where d.falta`,
  );
  return `select distinct * from (${parts.join('\nunion all\n')}) found order by 1, 2`;
}

/** A record whose answer after a write has warnings. */
interface WithWarnings {
  avisos?: string[] | null;
}

/**
 * Completes a write, and adds warnings to its answer about what the monthly map of controlled chemicals lacks of the
 * record.
 */
export function warning<T extends Registro & WithWarnings, I>(
  subject: Subject,
  complete?: Complete<T, I>,
): Complete<T, I> {
  const warn = async (record: T, written: T, em: EntityManager, call: Call): Promise<void> => {
    if (!call.selection['avisos']) return;
    const [avisos] = (await lacking(em, subject, [record.id], call)).values();
    if (avisos) written.avisos = avisos;
  };
  return Object.assign(
    (...write: Parameters<Complete<T, I>>) => complete?.(...write) ?? Promise.resolve(),
    complete,
    { last: warn },
  );
}
