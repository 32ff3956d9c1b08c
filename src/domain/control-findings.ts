import { findingMessages, type Text } from '../messages.ts';
import { CONTROLLED_PRODUCTS } from './controlled-products.ts';
import { EFETIVADA, PENDENTE } from './movement.ts';

/*
 * What is missing or odd in the records of which the monthly map of controlled chemicals is made. The list of a month
 * and the warnings of a write ask the same rules.
 */

/** The record and its field, as REST calls it; when (SQL of a fact `f`), and what to do about it. */
export interface Finding {
  record: 'material' | 'unidade_medida' | 'movimentacao' | 'nota_fiscal' | 'empresa';
  field: string;
  when: string;
  advice: Text;
}

/** SQL of the key and the name of a record that a fact `f` is about. */
export const SUBJECTS: Readonly<Record<Finding['record'], readonly [key: string, name: string]>> = {
  material: ['f.id_material', 'f.titulo'],
  unidade_medida: ['f.id_unidade_medida', 'f.sigla'],
  movimentacao: ['f.id', 'f.titulo'],
  nota_fiscal: ['f.id_nota_fiscal', 'f.numero_nf'],
  empresa: ['f.id_fornecedor', 'f.fornecedor'],
};

/** What a controlled material lacks, as {@link MATERIAL_FACTS} tell. */
export const MATERIAL_FINDINGS: readonly Finding[] = [
  {
    record: 'material',
    field: 'codigo_pf',
    when: 'not f.mistura and f.codigo is null',
    advice: findingMessages.code,
  },
  { record: 'material', field: 'ncm', when: 'f.mistura and f.codigo is null', advice: findingMessages.ncm },
  { record: 'material', field: 'densidade', when: 'f.densidade is null', advice: findingMessages.density },
  {
    record: 'material',
    field: 'concentracao',
    when: 'not f.mistura and coalesce(f.concentracao, 0) < 1',
    advice: findingMessages.concentration,
  },
  {
    record: 'unidade_medida',
    field: 'fator_controle',
    when: 'f.unidade is null or f.fator is null',
    advice: findingMessages.factor,
  },
];

/** The controlled materials, with their units. */
export const MATERIAL_FACTS = `
select p.*, m.id_unidade_medida from (${CONTROLLED_PRODUCTS}) p join material m on m.id = p.id_material`;

/** What an invoice of controlled materials lacks, as {@link INVOICE_FACTS} tell. */
export const INVOICE_FINDINGS: readonly Finding[] = [
  {
    record: 'nota_fiscal',
    field: 'data_emissao',
    when: 'f.data_emissao is null',
    advice: findingMessages.issued,
  },
  {
    record: 'nota_fiscal',
    field: 'numero_nf',
    when: 'length(f.numero_nf) > 10',
    advice: findingMessages.invoiceNumber,
  },
  { record: 'empresa', field: 'cnpj', when: 'f.cnpj is null', advice: findingMessages.supplier },
];

/** All invoices, with their suppliers. */
export const INVOICE_FACTS = `
select n.id as id_nota_fiscal, n.numero_nf, n.data_emissao, n.id_fornecedor, e.nome as fornecedor, e.cnpj
from nota_fiscal n join empresa e on e.id = n.id_fornecedor`;

/** Entries, which invoices tell of also while they wait for approval (SQL of a movement `v`). */
export const ENTRY = `v.fl_estorno = 'N' and v.id_tipo_movimentacao in (1, 2)
    and v.id_status_movimentacao in (${PENDENTE}, ${EFETIVADA})`;

const USED = `f.status = ${EFETIVADA} and not f.estorno`;

/** What is missing or odd in a movement of a controlled material. */
export const MOVEMENT_FINDINGS: readonly Finding[] = [
  {
    record: 'movimentacao',
    field: 'id_status_movimentacao',
    when: `f.status = ${PENDENTE}`,
    advice: findingMessages.waiting,
  },
  {
    record: 'movimentacao',
    field: 'finalidade',
    when: `${USED} and f.tipo = 4 and f.finalidade is null`,
    advice: findingMessages.purpose,
  },
  {
    record: 'movimentacao',
    field: 'id_nota_fiscal',
    when: `${USED} and f.tipo in (1, 2) and f.id_nota_fiscal is null`,
    advice: findingMessages.noInvoice,
  },
  {
    record: 'movimentacao',
    field: 'estornos',
    when: 'f.estorno and f.outro_mes',
    advice: findingMessages.otherMonth,
  },
];
