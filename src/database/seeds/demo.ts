import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from '../../access/passwords.ts';
import { digest } from '../../access/secrets.ts';
import { SERVICE } from '../../access/session.ts';
import { AcessoAmbiente } from '../../entities/permissoes/acesso-ambiente.ts';
import { ChaveApi } from '../../entities/permissoes/chave-api.ts';
import { Controller } from '../../entities/permissoes/controller.ts';
import { Credencial } from '../../entities/permissoes/credencial.ts';
import { PerfilRecursoItem } from '../../entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../../entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../../entities/permissoes/perfil.ts';
import { Permissao } from '../../entities/permissoes/permissao.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { Recurso } from '../../entities/permissoes/recurso.ts';
import { Sistema } from '../../entities/permissoes/sistema.ts';
import { seedExamples } from './examples.ts';
import { seedAcademic } from './seed-academic.ts';
import { seedInstitution } from './seed-institution.ts';
import { seedDirectory } from './seed-directory.ts';
import type { Services } from '../../services.ts';
import { seedStoreroom } from './seed-storeroom.ts';
import { seedFiles, storeDemoFiles } from './seed-files.ts';
import { seedMenus } from './seed-menus.ts';
import { DEMO_API_KEY, demoPassword, demoPeople, demoProfiles } from './demo-people.ts';

/** Fills a database in which nobody is known yet with the demo data. Answers whether it did. */
export async function seedDemo({ orm, storage }: Pick<Services, 'orm' | 'storage'>): Promise<boolean> {
  if ((await orm.em.fork().count(Pessoa)) > 0) return false;
  await storeDemoFiles(storage);
  return orm.em.fork().transactional(async em => {
    if ((await em.count(Pessoa)) > 0) return false;
    const sistema = await em.findOneOrFail(Sistema, { sigla: SERVICE });
    em.create(ChaveApi, { sistema, hash: digest(DEMO_API_KEY) } as never);
    const profiles = await seedProfiles(em, sistema);
    const people = await seedPeople(em, profiles);
    await seedDirectory(em, people, profiles);
    await seedStoreroom(em, people);
    await seedAcademic(em, people);
    await seedInstitution(em);
    await seedFiles(em, people);
    seedExamples(em);
    return true;
  });
}

async function seedProfiles(em: EntityManager, sistema: Sistema): Promise<Map<string, Perfil>> {
  const controllers = await em.find(Controller, { sistema }, { orderBy: { nome: 'asc' } });
  const lines = seedMenus(em, sistema, controllers);
  const profiles = new Map<string, Perfil>();
  const resources = new Map<string, Recurso>();
  for (const { nome, descricao, recurso: resource, prefixos, nivel } of demoProfiles) {
    const recurso =
      resources.get(resource) ??
      em.create(Recurso, {
        nome: resource,
        descricao: `${resource}: telas e operações`,
        tipo: 'G',
        ordem: resources.size + 1,
        sistema,
      });
    resources.set(resource, recurso);
    const perfil = em.create(Perfil, { nome, descricao, sistema });
    profiles.set(nome, perfil);
    const perfilRecurso = em.create(PerfilRecurso, { perfil, recurso });
    // Lines of the menu first, in its order; who may do everything has them beside the item that says so.
    const isOf = ({ nome: name }: Controller) => prefixos?.some(prefix => name.startsWith(prefix));
    const shown = [...lines.keys()].filter(controller => isOf(controller) ?? true);
    const others = controllers.filter(isOf);
    [...new Set([...(prefixos === null ? [null] : []), ...shown, ...others])].forEach((controller, i) => {
      em.create(PerfilRecursoItem, {
        descricao: controller?.nome ?? 'Tudo',
        perfilRecurso,
        controller,
        itemMenu: (controller && lines.get(controller)) ?? null,
        nivel,
        ordem: i + 1,
      });
    });
  }
  return profiles;
}

async function seedPeople(em: EntityManager, profiles: Map<string, Perfil>): Promise<Map<string, Pessoa>> {
  const people = new Map<string, Pessoa>();
  const hashes = await Promise.all(demoPeople.map(({ usuario }) => hashPassword(demoPassword(usuario))));
  demoPeople.forEach(({ usuario, nome, perfil, ...columns }, i) => {
    const pessoa = em.create(Pessoa, { usuario, nome, email: `${usuario}@universidade.example`, ...columns });
    people.set(usuario, pessoa);
    em.create(Credencial, { pessoa, senhaHash: hashes[i]! } as never);
    em.create(AcessoAmbiente, { pessoa });
    if (perfil) em.create(Permissao, { pessoa, perfil: profiles.get(perfil)! });
  });
  await em.flush();
  return people;
}
