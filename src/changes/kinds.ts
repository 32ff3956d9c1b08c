/** A column that a write changed, with its values as text. Secrets are `***`. */
export interface FieldChange {
  campo: string;
  antes: string | null;
  depois: string | null;
}

/** The verb for a change of each column: one verb for every new value, or one per value. */
type Acts = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The words of a table: the ending of its participles, and the verbs of special changes. */
interface Words {
  ending: 'o' | 'a';
  acts: Acts;
}

const o = (acts: Acts = {}): Words => ({ ending: 'o', acts });
const a = (acts: Acts = {}): Words => ({ ending: 'a', acts });
const decided = { A: 'aprovada', R: 'rejeitada' };
const situacao = (ending: 'o' | 'a') => ({ situacao: { I: `inativad${ending}`, A: `reativad${ending}` } });

/** The audited tables in the feed. If a change has several verbs, the first one names it. */
export const TABLE_WORDS = {
  acesso_ambiente: o(situacao('o')),
  alteracao_solicitacao: a(),
  armazem: o(),
  atividade_curriculo_discente: a(),
  chave_api: a({ revogada_em: 'revogada' }),
  classificacao_risco: a(),
  codigo_pf: o(),
  controller: o(situacao('o')),
  docente_plano: o(),
  empresa: a(),
  estoque: o(),
  estoque_minimo: o(),
  estorno: o(),
  fechamento_mapa: o({ reaberto_em: 'reaberto', enviado_em: 'enviado' }),
  funcionario: o(situacao('o')),
  icone_risco: o(),
  importacao: a({
    situacao: { concluida: 'concluida', recusada: 'recusada', interrompida: 'interrompida' },
  }),
  item_menu: o(situacao('o')),
  item_nota_fiscal: o(),
  local: o(),
  lote: o(),
  material: o(),
  menu: o(situacao('o')),
  movimentacao: a({
    id_status_movimentacao: { 2: 'aprovada', 3: 'rejeitada' },
    quantidade_estornada: 'estornada',
  }),
  nota_fiscal: a(),
  noticia: a({ retirada: { true: 'retirada', false: 'publicada' } }),
  perfil: o(situacao('o')),
  perfil_recurso: o(),
  perfil_recurso_item: o(situacao('o')),
  permissao: a(situacao('a')),
  pessoa: a(situacao('a')),
  plano_ensino: o({ id_tramitacao_atual: 'tramitado' }),
  recurso: o(situacao('o')),
  responsavel_laboratorio: o(),
  risco_material: o(),
  sessao: a({ encerrada_em: 'encerrada' }),
  sistema: o(situacao('o')),
  situacao_atividade_curriculo: a(),
  solicitacao_aprovacao: a({ situacao: decided }),
  status_movimentacao: o(),
  substancia_controlada: a(),
  tipo_controle: o(),
  tipo_empresa: o(),
  tipo_movimentacao: o(),
  tramitacao_plano: a(),
  unidade_medida: a(),
  vinculo_discente: o(),
  webhook: o({ situacao: { pausado: 'pausado', ativo: 'retomado' } }),
} satisfies Record<string, Words>;

export type ChangedTable = keyof typeof TABLE_WORDS;

export const CHANGED_TABLES = Object.keys(TABLE_WORDS) as ChangedTable[];

/** The audited tables that are not in the feed, and why. */
export const NOT_IN_FEED: Readonly<Record<string, string>> = {
  alteracao_diretorio: 'no list shows what was changed at the LDAP server',
  arquivo_digital: 'each request for its list must show the API key of a system',
  codigo_cvr: 'it is a secret of its person',
  conta_gerencial: 'the directory shows managerial accounts, which may be on an LDAP server',
  credencial: 'it is a secret of its person',
  curso: 'no list shows courses by themselves',
  etapa_tramitacao: 'no list shows the steps of plans by themselves',
  fonte_noticias: 'it is the state of a news feed that the service keeps',
  lotacao: 'no list shows units of the institution by themselves',
  reconhecimento_alerta: 'alerts change with time as well, without a write',
  responsavel_conta: 'the directory shows managerial accounts, which may be on an LDAP server',
  situacao_plano_ensino: 'no list shows the situations of plans by themselves',
};

const OPERATIONS = { insert: 'criad', update: 'alterad', delete: 'removid' } as const;

const actsOf = ({ acts }: Words): string[] =>
  Object.values(acts).flatMap(act => (typeof act === 'string' ? [act] : Object.values(act)));

/** The kinds of changes with a verb of their own. */
export const NAMED_KINDS: readonly string[] = CHANGED_TABLES.flatMap(table =>
  actsOf(TABLE_WORDS[table]).map(verb => `${table}.${verb}`),
);

/** The closed list of all kinds: `lote.criado`, `lote.alterado`, `lote.removido`, … */
export const CHANGE_KINDS: readonly string[] = [
  ...CHANGED_TABLES.flatMap(table =>
    Object.values(OPERATIONS).map(verb => `${table}.${verb}${TABLE_WORDS[table].ending}`),
  ),
  ...NAMED_KINDS,
];

/** The kind of an entry of the audit trail. */
export function kindOf(table: ChangedTable, operation: string, fields: readonly FieldChange[]): string {
  const words: Words = TABLE_WORDS[table];
  if (operation === 'update')
    for (const [column, act] of Object.entries(words.acts)) {
      const changed = fields.find(({ campo }) => campo === column);
      const verb =
        changed && (typeof act === 'string' ? changed.depois !== null && act : act[changed.depois ?? '']);
      if (verb) return `${table}.${verb}`;
    }
  return `${table}.${OPERATIONS[operation as keyof typeof OPERATIONS]}${words.ending}`;
}
