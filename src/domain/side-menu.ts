import type { Context } from '../context.ts';

/** A line of the side menu. */
interface SideMenuItem {
  id: number;
  nome: string;
  ordem: number | null;
  controller: { id: number; nome: string } | null;
  /** What the profiles give on the controller; null for a line without one. */
  nivel: number | null;
}

/** A menu as it is drawn. */
export interface SideMenu {
  id: number;
  nome: string;
  descricao: string | null;
  sistema: { id: number; sigla: string; nome: string };
  itens: SideMenuItem[];
}

/** The menus that active items of these profiles show, in their order: what comes first in a profile comes first. */
const LINES = `
with line as (
  select m.id as menu, im.id, im.nome, c.id as id_controller, c.nome as controller, min(i.ordem) as ordem
  from perfil pf
  join sistema si on si.id = pf.id_sistema and si.situacao = 'A'
  join perfil_recurso pr on pr.id_perfil = pf.id
  join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
  join item_menu im on im.id = i.id_item_menu and im.situacao = 'A'
  join menu m on m.id = im.id_menu and m.situacao = 'A'
  left join controller c on c.id = im.id_controller and c.situacao = 'A'
  where pf.id = any($1::int[]) and pf.situacao = 'A' and (im.id_controller is null or c.id is not null)
  group by m.id, im.id, c.id
)
select m.id, m.nome, m.descricao, s.id, s.sigla, s.nome,
  json_agg(json_build_object(
    'id', l.id, 'nome', l.nome, 'ordem', l.ordem,
    'controller', case when l.id_controller is not null then json_build_object('id', l.id_controller, 'nome', l.controller) end,
    'nivel', (
      select max(i.nivel)
      from perfil pf
      join perfil_recurso pr on pr.id_perfil = pf.id
      join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.situacao = 'A'
      where pf.id = any($1::int[]) and pf.situacao = 'A' and pf.id_sistema = m.id_sistema and l.id_controller is not null
        and (i.id_controller is null or i.id_controller = l.id_controller)
    )
  ) order by l.ordem nulls last, l.nome, l.id)
from line l
join menu m on m.id = l.menu
join sistema s on s.id = m.id_sistema and s.situacao = 'A'
group by m.id, s.id
order by min(l.ordem) nulls last, m.nome, m.id`;

const HELD = `select id_perfil from permissao where id_pessoa = $1 and situacao = 'A'`;

/**
 * The side menu of all profiles of the caller, or of one profile.
 * @throws FORBIDDEN for a profile that is not the caller's, without level 1 on this controller
 */
export async function sideMenu(
  context: Context,
  idPerfil: number | null,
  controller: string,
): Promise<SideMenu[]> {
  const { reader } = context.services.listing;
  const { idPessoa } = await context.session();
  const held = (await reader.rows(HELD, [idPessoa])).flat() as number[];
  if (idPerfil !== null && !held.includes(idPerfil))
    await context.authorize({ kind: 'level', controller, level: 1 });
  const rows = await reader.rows(LINES, [idPerfil === null ? held : [idPerfil]]);
  return rows.map(row => {
    const [id, nome, descricao, idSistema, sigla, sistema, itens] = row as [
      number,
      string,
      string | null,
      number,
      string,
      string,
      SideMenuItem[],
    ];
    return { id, nome, descricao, sistema: { id: idSistema, sigla, nome: sistema }, itens };
  });
}
