import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from '../access/passwords.ts';
import { ContaGerencial } from '../entities/institucional/conta-gerencial.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { Controller } from '../entities/permissoes/controller.ts';
import { Credencial } from '../entities/permissoes/credencial.ts';
import { ItemMenu } from '../entities/permissoes/item-menu.ts';
import { Menu } from '../entities/permissoes/menu.ts';
import { PerfilRecursoItem } from '../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../entities/permissoes/perfil.ts';
import { Permissao } from '../entities/permissoes/permissao.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { Recurso } from '../entities/permissoes/recurso.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { demoRecords } from './files.ts';

/** Other systems whose permissions the service stores, each with one resource. */
export async function seedSystems(em: EntityManager): Promise<void> {
  for (const { sigla, nome, descricao, tipo, id_orgao, pagina_inicial, situacao } of await demoRecords(
    'sistemas',
  )) {
    const sistema = em.create(Sistema, {
      sigla: sigla!,
      nome: nome!,
      descricao,
      tipo: tipo!,
      idOrgao: Number(id_orgao),
      paginaInicial: pagina_inicial,
      situacao: situacao as 'A' | 'I',
    });
    em.create(Recurso, {
      nome: nome!,
      descricao: `Acesso ao ${sigla}`,
      tipo: 'U',
      ordem: 1,
      sistema,
    });
  }
}

/** The side menu of the service itself. Returns its items by the controller that each opens. */
async function seedMenus(
  em: EntityManager,
  sistema: Sistema,
  controllers: readonly Controller[],
): Promise<Map<Controller, ItemMenu>> {
  const menus = new Map(
    (await demoRecords('menus')).map(({ nome, descricao }) => [
      nome,
      em.create(Menu, { nome: nome!, descricao, sistema }),
    ]),
  );
  const items = new Map<Controller, ItemMenu>();
  for (const { menu, nome, controller: path } of await demoRecords('itens-menu')) {
    const controller = controllers.find(one => one.nome === path)!;
    items.set(controller, em.create(ItemMenu, { nome: nome!, menu: menus.get(menu)!, controller }));
  }
  return items;
}

/** The profiles, each with a level on some controllers (on all where the file names none). */
export async function seedProfiles(em: EntityManager, sistema: Sistema): Promise<Map<string, Perfil>> {
  const controllers = await em.find(Controller, { sistema }, { orderBy: { nome: 'asc' } });
  const menuItems = await seedMenus(em, sistema, controllers);
  const profiles = new Map<string, Perfil>();
  const resources = new Map<string, Recurso>();
  for (const { nome, descricao, recurso: resource, controllers: listed, nivel } of await demoRecords(
    'perfis',
  )) {
    const recurso =
      resources.get(resource!) ??
      em.create(Recurso, {
        nome: resource!,
        descricao: `${resource}: telas e operações`,
        tipo: 'G',
        ordem: resources.size + 1,
        sistema,
      });
    resources.set(resource!, recurso);
    const perfil = em.create(Perfil, { nome: nome!, descricao, sistema });
    profiles.set(nome!, perfil);
    const perfilRecurso = em.create(PerfilRecurso, { perfil, recurso });
    const prefixes = listed?.split(',');
    const isOf = ({ nome: name }: Controller): boolean | undefined =>
      prefixes?.some(prefix => name.startsWith(prefix));
    // Menu items first, in menu order. Null stands for every controller.
    const shown = [...menuItems.keys()].filter(controller => isOf(controller) ?? true);
    const others = controllers.filter(isOf);
    [...new Set([...(prefixes ? [] : [null]), ...shown, ...others])].forEach((controller, i) =>
      em.create(PerfilRecursoItem, {
        descricao: controller?.nome ?? 'Tudo',
        perfilRecurso,
        controller,
        itemMenu: (controller && menuItems.get(controller)) ?? null,
        nivel: Number(nivel),
        ordem: i + 1,
      }),
    );
  }
  return profiles;
}

/** Creates passwords, environment access and profiles of people. */
export async function seedAccess(em: EntityManager, profiles: ReadonlyMap<string, Perfil>): Promise<void> {
  const people = new Map((await em.find(Pessoa, {})).map(pessoa => [pessoa.usuario, pessoa]));
  for (const { usuario, senha, perfil, situacao } of await demoRecords('acessos')) {
    const pessoa = people.get(usuario!)!;
    if (senha) em.create(Credencial, { pessoa, senhaHash: await hashPassword(senha) } as never);
    em.create(AcessoAmbiente, { pessoa, situacao: situacao as 'A' | 'I' });
    if (perfil) em.create(Permissao, { pessoa, perfil: profiles.get(perfil)! });
  }
}

/** Creates passwords of managerial accounts that have one. */
export async function seedAccountPasswords(em: EntityManager): Promise<void> {
  for (const { email, senha } of await demoRecords('senhas-contas')) {
    const conta = await em.findOneOrFail(ContaGerencial, { email: email! });
    conta.senhaHash = await hashPassword(senha!);
  }
}
