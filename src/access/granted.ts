/**
 * SQL of the effective permissions (contract 6), one row for each profile item. Inactive profiles, systems, resources,
 * controllers and items grant nothing, and neither does a resource of an inactive system. `controller` is null if the
 * item applies to every controller of its system. PostgreSQL plans it as part of the enclosing statement. Each
 * further joined table would double the time of planning, so the resource is looked up by a subselect (6.1 ms before,
 * 1.0 now for a person's levels).
 */
export const GRANTED = granted('', 'perfil pf');

/** SQL of the effective permissions of people, with the person in `id_pessoa`. */
export const HELD = granted(
  'pm.id_pessoa, ',
  `permissao pm join perfil pf on pf.id = pm.id_perfil and pm.situacao = 'A'`,
);

/** SQL of what profiles would grant if nothing in the chain were inactive. */
export const GRANTABLE = granted('', 'perfil pf', possible);

/**
 * SQL of the permissions that people have, or would have if nothing in the chain were inactive: what was taken from them
 * can be given back.
 */
export const HOLDABLE = granted(
  'pm.id_pessoa, ',
  'permissao pm join perfil pf on pf.id = pm.id_perfil',
  possible,
);

function granted(columns: string, from: string, active: (alias: string) => string = isActive): string {
  return `(
  select ${columns}pf.id as id_perfil, pf.nome as perfil, si.id as id_sistema, si.sigla as sistema,
    c.id as id_controller, c.nome as controller, i.nivel, i.ordem, i.id_item_menu
  from ${from}
  join sistema si on si.id = pf.id_sistema and ${active('si')}
  join perfil_recurso pr on pr.id_perfil = pf.id and (
    select ${active('re')} and ${active('rs')} from recurso re join sistema rs on rs.id = re.id_sistema
    where re.id = pr.id_recurso)
  join perfil_recurso_item i on i.id_perfil_recurso = pr.id and ${active('i')}
  left join controller c on c.id = i.id_controller and c.id_sistema = si.id and ${active('c')}
  where ${active('pf')} and (i.id_controller is null or c.id is not null)
)`;
}

function isActive(alias: string): string {
  return `${alias}.situacao = 'A'`;
}

function possible(): string {
  return 'true';
}

/** SQL condition: whether a person may log in. The argument is an SQL expression of the person's id. */
export const mayEnter = (idPessoa: string): string => `(
  select p.situacao = 'A' and a.situacao = 'A' from pessoa p join acesso_ambiente a on a.id_pessoa = p.id
  where p.id = ${idPessoa})`;
