/** Part of the trail with all entries from before it was partitioned by month. It is complete. */
export const BEFORE = 'antes';

/** Suffix for the chain of a part's refusals. They are deleted after a year, so they have a separate chain. */
const REFUSALS = '-recusas';

/** The chain of a part's entries other than refusals, and the chain of its refusals. */
export const chainsOf = (part: string): [string, string] => [part, part + REFUSALS];

export const isOfRefusals = (chain: string): boolean => chain.endsWith(REFUSALS);

const PART = /^(?:antes|futuro|\d{4}-\d{2})$/;

/** The table of a part. The name is safe in SQL. */
export function tableOf(part: string): string {
  if (!PART.test(part)) throw new Error(`not a part of the audit trail: ${part}`);
  return `auditoria_${part.replace('-', '_')}`;
}

/** SQL: whether the entry `a` is a refusal. */
export const IS_REFUSAL = `a.operacao in ('login_recusado', 'acesso_recusado')`;

/** SQL: the chain of the entry `a`. */
export const CHAIN = `replace(substr(a.tableoid::regclass::text, 11), '_', '-') || case when ${IS_REFUSAL} then '${REFUSALS}' else '' end`;

/**
 * SQL: the entry `a` as the text that is chained and archived. It must never change, because the links were computed
 * from it. It leaves out `transacao`, which a restore changes.
 */
export const ENTRY = `jsonb_build_object('id', a.id,
  'momento', to_char(a.momento at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'id_pessoa', a.id_pessoa, 'id_sistema', a.id_sistema, 'endereco', a.endereco, 'requisicao', a.requisicao,
  'operacao', a.operacao, 'tabela', a.tabela, 'id_registro', a.id_registro, 'acao', a.acao, 'vezes', a.vezes,
  'alteracoes', a.alteracoes)::text`;
