/** The statements of the baseline. */

export const RECORD = ['id', 'criado_em', 'alterado_em', 'criado_por', 'alterado_por'];

/** `u.id as u_id, u.sigla as u_sigla` */
export const columns = (table: string, names: string[]): string =>
  names.map(name => `${table}.${name} as ${table}_${name}`).join(', ');

const FROM = `from material m
join unidade_medida u on u.id = m.id_unidade_medida
left join tipo_controle t on t.id = m.id_tipo_controle`;

const REST = `select m.*, ${columns('u', [...RECORD, 'descricao', 'sigla', 'unidade_controle', 'fator_controle'])},
  ${columns('t', [...RECORD, 'descricao', 'orgao_controlador', 'exige_aprovacao', 'mapa_pf'])}
${FROM}`;

const GRAPHQL = `select m.id, m.titulo, m.numero_cas, m.estado_fisico, ${columns('u', ['id', 'sigla', 'descricao'])},
  ${columns('t', ['id', 'descricao'])}
${FROM}`;

const FILTER = ' where m.titulo_busca like contains_pattern($1)';

/** The page of a list. Its limit and offset are the first parameters, or follow the filter's. */
function page(order: 'asc' | 'desc', filtered: boolean): string {
  const [limit, offset] = filtered ? ['$2', '$3'] : ['$1', '$2'];
  const filter = filtered ? FILTER : '';
  return `${filter} order by m.titulo collate "pt_br" ${order}, m.id limit ${limit} offset ${offset}`;
}

export const restList = (order: 'asc' | 'desc', filtered: boolean): string => REST + page(order, filtered);
export const graphqlList = (order: 'asc' | 'desc', filtered: boolean): string =>
  GRAPHQL + page(order, filtered);
export const restSingle = `${REST} where m.id = $1`;
export const graphqlSingle = `${GRAPHQL} where m.id = $1`;

export const count = (filtered: boolean): string =>
  `select count(*) as total from material m${filtered ? FILTER : ''}`;

export const risks = `select r.*, ${columns('c', [...RECORD, 'id_icone_risco', 'risco', 'descricao', 'palavra_advertencia', 'precaucao'])}
from risco_material r
join classificacao_risco c on c.id = r.id_classificacao_risco
where r.id_material = any($1)
order by r.id`;

const sessionWith = (nivel: string): string => `
select s.id_pessoa, s.id_sistema, ${nivel} as nivel
from sessao s
join pessoa p on p.id = s.id_pessoa and p.situacao = 'A'
join sistema caller on caller.id = s.id_sistema and caller.situacao = 'A'
join acesso_ambiente a on a.id_pessoa = s.id_pessoa and a.situacao = 'A'
where s.token_hash = $1 and s.encerrada_em is null and s.expira_em > now()`;

const levelOn = (controller: string): string => `coalesce((
  select max(i.nivel)
  from permissao pm
  join perfil pf on pf.id = pm.id_perfil and pf.situacao = 'A'
  join sistema si on si.id = pf.id_sistema and si.sigla = $2 and si.situacao = 'A'
  join perfil_recurso pr on pr.id_perfil = pf.id
  join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
  left join controller c on c.id = i.id_controller
  where pm.id_pessoa = s.id_pessoa and pm.situacao = 'A'
    and (i.id_controller is null or c.nome = ${controller} and c.situacao = 'A')
), 0)`;

/** The live session behind a token with its person's highest level on one controller. */
export const session = sessionWith(levelOn('$3'));

/** The same with the lowest of the person's levels on several controllers. */
export const sessionOfAll = sessionWith(`(select min(${levelOn('asked')}) from unnest($3::text[]) asked)`);

/** The person of a token, without their permissions. */
export const caller = 'select id_pessoa, id_sistema from sessao where token_hash = $1';
