/** A row as `pg` hands it out. */
type Row = Record<string, unknown>;

/** A material with its links and hazards, as the REST face shows it. */
export const restMaterial = (row: Row, riscos: object[]) => ({
  id: row['id'],
  criado_em: row['criado_em'],
  alterado_em: row['alterado_em'],
  criado_por: row['criado_por'],
  alterado_por: row['alterado_por'],
  titulo: row['titulo'],
  catmat: row['catmat'],
  descricao: row['descricao'],
  numero_cas: row['numero_cas'],
  estado_fisico: row['estado_fisico'],
  fispq: row['fispq'],
  link_fispq: row['link_fispq'],
  codigo_pf: row['codigo_pf'],
  lista_pf: row['lista_pf'],
  ncm: row['ncm'],
  concentracao: row['concentracao'],
  densidade: row['densidade'],
  rotulo_exercito: row['rotulo_exercito'],
  id_unidade_medida: row['id_unidade_medida'],
  unidade_medida: {
    id: row['u_id'],
    criado_em: row['u_criado_em'],
    alterado_em: row['u_alterado_em'],
    criado_por: row['u_criado_por'],
    alterado_por: row['u_alterado_por'],
    descricao: row['u_descricao'],
    sigla: row['u_sigla'],
    unidade_controle: row['u_unidade_controle'],
    fator_controle: row['u_fator_controle'],
  },
  id_tipo_controle: row['id_tipo_controle'],
  tipo_controle: row['t_id'] === null ? null : restControlType(row),
  riscos,
  avisos: null,
});

const restControlType = (row: Row) => ({
  id: row['t_id'],
  criado_em: row['t_criado_em'],
  alterado_em: row['t_alterado_em'],
  criado_por: row['t_criado_por'],
  alterado_por: row['t_alterado_por'],
  descricao: row['t_descricao'],
  orgao_controlador: row['t_orgao_controlador'],
  exige_aprovacao: row['t_exige_aprovacao'],
  mapa_pf: row['t_mapa_pf'],
});

/** A hazard of a material, as the REST face shows it with the material. */
export const restRisk = (row: Row) => ({
  id: row['id'],
  criado_em: row['criado_em'],
  alterado_em: row['alterado_em'],
  criado_por: row['criado_por'],
  alterado_por: row['alterado_por'],
  id_classificacao_risco: row['id_classificacao_risco'],
  classificacao_risco: {
    id: row['c_id'],
    criado_em: row['c_criado_em'],
    alterado_em: row['c_alterado_em'],
    criado_por: row['c_criado_por'],
    alterado_por: row['c_alterado_por'],
    id_icone_risco: row['c_id_icone_risco'],
    risco: row['c_risco'],
    descricao: row['c_descricao'],
    palavra_advertencia: row['c_palavra_advertencia'],
    precaucao: row['c_precaucao'],
  },
  id_material: row['id_material'],
});

/** GraphQL's names of the physical states. */
const states: Readonly<Record<string, string>> = { S: 'SOLIDO', L: 'LIQUIDO', G: 'GASOSO', P: 'PASTOSO' };

/** The fields of a material that the GraphQL scenarios ask for. */
export const graphqlMaterial = (row: Row) => ({
  id: row['id'],
  titulo: row['titulo'],
  numeroCas: row['numero_cas'],
  estadoFisico: states[row['estado_fisico'] as string],
  unidadeMedida: { id: row['u_id'], sigla: row['u_sigla'], descricao: row['u_descricao'] },
  tipoControle: row['t_id'] === null ? null : { id: row['t_id'], descricao: row['t_descricao'] },
});
