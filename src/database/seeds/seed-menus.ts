import type { EntityManager } from '@mikro-orm/postgresql';
import type { Controller } from '../../entities/permissoes/controller.ts';
import { ItemMenu } from '../../entities/permissoes/item-menu.ts';
import { Menu } from '../../entities/permissoes/menu.ts';
import { Recurso } from '../../entities/permissoes/recurso.ts';
import { Sistema } from '../../entities/permissoes/sistema.ts';
import { demoMenus, demoSystems } from './demo-menus.ts';

/** The demo's other systems, and the service's own side menu. Answers its lines by the controller that they open. */
export function seedMenus(
  em: EntityManager,
  sistema: Sistema,
  controllers: readonly Controller[],
): Map<Controller, ItemMenu> {
  for (const { sigla, nome, ...columns } of demoSystems) {
    const other = em.create(Sistema, { sigla, nome, ...columns });
    em.create(Recurso, { nome, descricao: `Acesso ao ${sigla}`, tipo: 'U', ordem: 1, sistema: other });
  }
  const byName = new Map(controllers.map(controller => [controller.nome, controller]));
  const lines = new Map<Controller, ItemMenu>();
  for (const { nome, descricao, itens } of demoMenus) {
    const menu = em.create(Menu, { nome, descricao, sistema });
    for (const item of itens) {
      const controller = byName.get(item.controller)!;
      lines.set(controller, em.create(ItemMenu, { nome: item.nome, menu, controller }));
    }
  }
  return lines;
}
