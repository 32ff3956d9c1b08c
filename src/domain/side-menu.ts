import { GRANTED } from '../access/granted.ts';
import { mayAct } from '../access/session.ts';
import type { Context } from '../request/context.ts';
import { sawPrimary } from '../request/saw-primary.ts';
import { notFound } from '../errors.ts';
import { ALERTS_CONTROLLER, APPROVALS_CONTROLLER, isHeardBy, openAlerts } from './alerts.ts';

/** A line of the side menu. */
interface SideMenuItem {
  idItemMenu: number;
  nome: string;
  ordem: number | null;
  controller: { id: number; nome: string } | null;
  /** Level of the profiles on the controller; null for a line without a controller. */
  nivel: number | null;
  /** Number of open alerts for the line; null for a line without alerts. */
  alertas: number | null;
}

/** A menu with its lines. */
export interface SideMenu {
  idMenu: number;
  nome: string;
  descricao: string | null;
  sistema: { id: number; sigla: string; nome: string };
  itens: SideMenuItem[];
}

type MenuRow = [
  idMenu: number,
  nome: string,
  descricao: string | null,
  sistema: SideMenu['sistema'],
  itens: SideMenuItem[],
];

/** The menus with active items of these profiles, ordered by first appearance in a profile. */
const MENUS = `
with item as (
  select id_sistema, id_controller, id_item_menu, nivel, ordem from ${GRANTED} granted
  where id_perfil = any($1::int[])
), line as (
  select im.id_menu, im.id, im.nome, min(i.ordem) as ordem,
    case when c.id is not null then json_build_object('id', c.id, 'nome', c.nome) end as controller,
    (
      select max(nivel) from item
      where item.id_sistema = c.id_sistema and (item.id_controller is null or item.id_controller = c.id)
    ) as nivel
  from item i
  join item_menu im on im.id = i.id_item_menu and im.situacao = 'A'
  left join (controller c join sistema cs on cs.id = c.id_sistema and cs.situacao = 'A')
    on c.id = im.id_controller and c.situacao = 'A'
  where im.id_controller is null or c.id is not null
  group by im.id, c.id
)
select m.id, m.nome, m.descricao, json_build_object('id', s.id, 'sigla', s.sigla, 'nome', s.nome),
  json_agg(
    json_build_object(
      'idItemMenu', l.id, 'nome', l.nome, 'ordem', l.ordem, 'controller', l.controller, 'nivel', l.nivel
    )
    order by l.ordem nulls last, l.nome collate "pt_br", l.id
  )
from line l
join menu m on m.id = l.id_menu and m.situacao = 'A'
join sistema s on s.id = m.id_sistema and s.situacao = 'A'
group by m.id, s.id
order by min(l.ordem) nulls last, m.nome collate "pt_br", m.id`;

const WAITING = `select count(*)::int from solicitacao_aprovacao where situacao = 'P'`;

const HELD = `select id_perfil from permissao where id_pessoa = $1 and situacao = 'A'`;
const PROFILE = 'select id from perfil where id = $1';

/**
 * The side menu of all profiles of the caller, or of one profile.
 * @throws NOT_FOUND; FORBIDDEN for a profile that the caller does not have, unless they have level 1 on this controller
 */
export async function sideMenu(
  context: Context,
  idPerfil: number | null,
  controller: string,
): Promise<SideMenu[]> {
  const { reader } = context;
  const { idPessoa } = await context.session();
  const held = (await reader.rows(HELD, [idPessoa])).flat() as number[];
  if (idPerfil !== null && !held.includes(idPerfil)) {
    await context.caller.authorize({ kind: 'level', controller, level: 1 });
    if ((await reader.rows(PROFILE, [idPerfil])).length === 0) throw notFound();
  }
  const rows = await reader.rows(MENUS, [idPerfil === null ? held : [idPerfil]]);
  const menus = rows.map(row => {
    const [idMenu, nome, descricao, sistema, itens] = row as MenuRow;
    return { idMenu, nome, descricao, sistema, itens };
  });
  const counted = await counts(context, menus);
  const shown = (line: SideMenuItem): SideMenuItem => ({
    ...line,
    alertas: counted.get(line.controller?.nome ?? '') ?? null,
  });
  return menus.map(menu => ({ ...menu, itens: menu.itens.map(shown) }));
}

/** Numbers of alerts for the lines of these controllers, if a line opens one that the caller may read. */
async function counts(context: Context, menus: readonly SideMenu[]): Promise<Map<string, number>> {
  const session = await context.session();
  const lines = new Set(menus.flatMap(({ itens }) => itens.map(({ controller }) => controller?.nome)));
  const counted = [ALERTS_CONTROLLER, APPROVALS_CONTROLLER].filter(
    controller => lines.has(controller) && mayAct(session, controller, 1),
  );
  if (counted.length === 0) return new Map();
  const { reader, services } = context;
  const [alerts, [[waiting] = []]] = await Promise.all([openAlerts(services), reader.rows(WAITING, [])]);
  await sawPrimary(context);
  const isHeard = isHeardBy(session);
  const open = [...alerts].reduce((sum, [kind, count]) => sum + (isHeard(kind) ? count : 0), 0);
  const all = new Map([
    [ALERTS_CONTROLLER, open],
    [APPROVALS_CONTROLLER, waiting as number],
  ]);
  return new Map(counted.map(controller => [controller, all.get(controller)!]));
}
