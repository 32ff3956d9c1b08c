import type { Text } from '../messages.ts';
import { cnpjFits } from './cnpj.ts';
import { advice, companyAdvice, companyRoles } from './control-advice.ts';
import { BY_INVOICE, CARRIAGE, CONTROLLED_PRODUCTS, STORAGE, WAREHOUSES } from './controlled-products.ts';
import { EFETIVADA, ENTRADAS, PENDENTE, SAIDA } from './movement.ts';

/*
 * What is missing or implausible in the records from which the monthly map of controlled chemicals is made. The list of
 * a month and the warnings of a write use the same rules.
 */

/** The record and its field, as REST calls it; the condition (SQL on a fact `f`); and what to do about it. */
export interface Finding {
  record: 'material' | 'unidade_medida' | 'movimentacao' | 'nota_fiscal' | 'empresa';
  field: string;
  when: string;
  advice: Text;
}

/** SQL of the key and the name of the record to which a fact `f` belongs. */
export const SUBJECTS: Readonly<Record<Finding['record'], readonly [key: string, name: string]>> = {
  material: ['f.id_material', 'f.titulo'],
  unidade_medida: ['f.id_unidade_medida', 'f.sigla'],
  movimentacao: ['f.id', 'f.titulo'],
  nota_fiscal: ['f.id_nota_fiscal', 'f.numero_nf'],
  empresa: ['f.id_empresa', 'f.empresa'],
};

/** Missing data of the unit of a controlled material. */
export const UNIT_FINDINGS: readonly Finding[] = [
  {
    record: 'unidade_medida',
    field: 'fator_controle',
    when: 'f.unidade is null or f.fator is null',
    advice: advice.factor,
  },
];

/** Missing data of a controlled material, found in {@link MATERIAL_FACTS}. */
export const MATERIAL_FINDINGS: readonly Finding[] = [
  {
    record: 'material',
    field: 'codigo_pf',
    when: 'f.pura and f.codigo is null',
    advice: advice.code,
  },
  {
    record: 'material',
    field: 'substancias_controladas',
    when: 'not f.pura and not f.mistura',
    advice: advice.substances,
  },
  { record: 'material', field: 'ncm', when: 'f.mistura and f.codigo is null', advice: advice.ncm },
  { record: 'material', field: 'densidade', when: 'f.densidade is null', advice: advice.density },
  {
    record: 'material',
    field: 'concentracao',
    when: 'f.pura and coalesce(f.concentracao, 0) < 1',
    advice: advice.concentration,
  },
  {
    record: 'material',
    field: 'substancias_controladas',
    when: `exists (
      select from substancia_controlada s
      where s.id_material = f.id_material and round(s.concentracao::numeric) not between 1 and 99
    )`,
    advice: advice.part,
  },
  ...UNIT_FINDINGS,
];

/** What the map cannot tell apart, found in facts that know all materials of the month. */
export const MIXTURE_FINDINGS: readonly Finding[] = [
  {
    record: 'material',
    field: 'substancias_controladas',
    when: 'f.confundida',
    advice: advice.otherMixture,
  },
];

/**
 * The controlled materials, with their units. One is pure (`pura`) if it has neither substances nor an NCM, which the map
 * has only of mixtures.
 */
export const MATERIAL_FACTS = `
select p.*, m.id_unidade_medida, not p.mistura and m.ncm is null as pura from (${CONTROLLED_PRODUCTS}) p join material m on m.id = p.id_material`;

/** Missing data of an invoice of controlled materials, found in {@link INVOICE_FACTS}. */
export const INVOICE_FINDINGS: readonly Finding[] = [
  {
    record: 'nota_fiscal',
    field: 'data_emissao',
    when: 'f.data_emissao is null',
    advice: advice.issued,
  },
  {
    record: 'nota_fiscal',
    field: 'numero_nf',
    when: 'length(f.numero_nf) > 10',
    advice: advice.invoiceNumber,
  },
  {
    record: 'nota_fiscal',
    field: 'operacao',
    when: `f.entra and f.operacao like 'S%'`,
    advice: advice.otherOperation,
  },
  {
    record: 'nota_fiscal',
    field: 'armazenagem',
    when: `(f.armazenagem in ('S', 'N')) <> f.entra`,
    advice: advice.otherStorage,
  },
  {
    record: 'nota_fiscal',
    field: 'id_armazem',
    when: `${WAREHOUSES} and f.armazenada and f.id_armazem is null`,
    advice: advice.warehouse,
  },
];

/** Invoices `k`: their keys, and whether the goods came in with them (`entra`) or went out. */
export const INVOICE_FACTS = `
select n.id as id_nota_fiscal, n.numero_nf, n.data_emissao, n.operacao, n.armazenagem, n.id_armazem, k.entra,
  ${STORAGE} in ('S', 'T') as armazenada
from nota_fiscal n where n.id = k.id_nota_fiscal`;

/** Missing data of a company that the map names with an invoice, found in {@link COMPANY_FACTS}. */
export const COMPANY_FINDINGS: readonly Finding[] = Object.entries(companyRoles).flatMap(([role, name]) => {
  const of = (field: string, when: string, what: Text): Finding => ({
    record: 'empresa',
    field,
    when: `f.papel = '${role}' and ${when}`,
    advice: what,
  });
  return [
    of('cnpj', 'f.cnpj is null', companyAdvice.cnpj(name)),
    of('cnpj', `f.cnpj is not null and not ${cnpjFits('f.cnpj')}`, companyAdvice.checkDigits(name)),
    of('nome', `coalesce(f.empresa, '') = ''`, companyAdvice.name(name)),
  ];
});

/** The companies that the map names with invoices `k`, and their roles. */
export const COMPANY_FACTS = `
select e.id as id_empresa, e.nome as empresa, e.cnpj, x.papel
from nota_fiscal n
join empresa f on f.id = n.id_fornecedor
join empresa t on t.id = n.id_transportadora
left join armazem a on a.id = n.id_armazem
cross join lateral (values
  ('fornecedor', f.id),
  ('transportadora', case when ${CARRIAGE} = 'T' then t.id end),
  ('armazem', case when ${WAREHOUSES} and ${STORAGE} in ('S', 'T') then a.id_empresa end)
) x (papel, id)
join empresa e on e.id = x.id
where n.id = k.id_nota_fiscal`;

/** Movements `v` that the map reports with their invoice `n`, also while they wait for approval. No reversals. */
export const WITH_INVOICE = `v.fl_estorno = 'N' and v.id_status_movimentacao in (${PENDENTE}, ${EFETIVADA})
    and ${BY_INVOICE}`;

const USED = `f.status = ${EFETIVADA} and not f.estorno`;

/** What is missing or implausible in a movement of a controlled material. */
export const MOVEMENT_FINDINGS: readonly Finding[] = [
  {
    record: 'movimentacao',
    field: 'id_status_movimentacao',
    when: `f.status = ${PENDENTE}`,
    advice: advice.waiting,
  },
  {
    record: 'movimentacao',
    field: 'finalidade',
    when: `${USED} and f.tipo = ${SAIDA} and not f.com_nota and f.finalidade is null`,
    advice: advice.purpose,
  },
  {
    record: 'movimentacao',
    field: 'id_nota_fiscal',
    when: `${USED} and f.tipo in ${ENTRADAS} and f.id_nota_fiscal is null`,
    advice: advice.noInvoice,
  },
  {
    record: 'movimentacao',
    field: 'estornos',
    when: 'f.estorno and f.outro_mes',
    advice: advice.otherMonth,
  },
];

/** Of movements whose invoice has no line in the map. */
export const LINE_FINDINGS: readonly Finding[] = [
  {
    record: 'movimentacao',
    field: 'quantidade',
    when: `${USED} and f.com_nota`,
    advice: advice.tooLittle,
  },
];
