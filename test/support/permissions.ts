import { digest } from '../../src/access/secrets.ts';
import { AcessoAmbiente } from '../../src/entities/permissoes/acesso-ambiente.ts';
import { Controller } from '../../src/entities/permissoes/controller.ts';
import { ItemMenu } from '../../src/entities/permissoes/item-menu.ts';
import { Menu } from '../../src/entities/permissoes/menu.ts';
import { PerfilRecursoItem } from '../../src/entities/permissoes/perfil-recurso-item.ts';
import { PerfilRecurso } from '../../src/entities/permissoes/perfil-recurso.ts';
import { Perfil } from '../../src/entities/permissoes/perfil.ts';
import { Permissao } from '../../src/entities/permissoes/permissao.ts';
import { Pessoa } from '../../src/entities/permissoes/pessoa.ts';
import { Recurso } from '../../src/entities/permissoes/recurso.ts';
import { Sessao } from '../../src/entities/permissoes/sessao.ts';
import { Sistema } from '../../src/entities/permissoes/sistema.ts';
import type { TestService } from './service.ts';

export interface Grant {
  /** Path of the controller; null means every controller of the profile's system. */
  controller: string | null;
  nivel: number;
  /** Acronym of the system of the profile. */
  sistema?: string;
  /** Acronym of the system of the controller. */
  sistemaDoController?: string;
}

/** Gives a demo user a new profile. Returns a function that removes it. */
export async function grant(
  service: TestService,
  usuario: string,
  given: Grant,
): Promise<() => Promise<void>> {
  const { controller, nivel, sistema = 'SII', sistemaDoController = sistema } = given;
  const [row] = await service.sql(
    `with system as (select id from sistema where sigla = $1),
       profile as (insert into perfil (nome, id_sistema) select 'Teste', id from system returning id),
       resource as (insert into recurso (nome, id_sistema) select 'Teste', id from system returning id),
       link as (insert into perfil_recurso (id_perfil, id_recurso) select profile.id, resource.id from profile, resource returning id),
       item as (
         insert into perfil_recurso_item (descricao, id_perfil_recurso, id_controller, nivel)
         select 'Teste', link.id, c.id, $3 from link
         left join controller c on c.nome = $2 and c.id_sistema = (select id from sistema where sigla = $4)
       )
     insert into permissao (id_pessoa, id_perfil) select p.id, profile.id from pessoa p, profile where p.usuario = $5
     returning id`,
    [sistema, controller, nivel, sistemaDoController, usuario],
  );
  return async () => void (await service.sql('delete from permissao where id = $1', [row![0]]));
}

/** Creates a calling system with this key. */
export async function addSystem(service: TestService, sigla: string, apiKey: string): Promise<void> {
  await service.sql(
    `with system as (insert into sistema (nome, sigla) values ($1, $1) returning id)
     insert into chave_api (id_sistema, hash) select id, sha256(convert_to($2, 'UTF8')) from system`,
    [sigla, apiKey],
  );
}

export interface ProfileItem {
  controller?: string;
  itemMenu?: number;
  nivel?: number;
  ordem?: number;
}

interface ProfileOptions {
  nome?: string;
  /** Acronym of its system. */
  sistema?: string;
  /** User names of the people who hold it. */
  usuarios?: readonly string[];
  itens?: readonly ProfileItem[];
}

/** A profile with these items, held by these people. Returns its id. */
export async function makeProfile(
  service: TestService,
  { nome = 'Perfil de teste', sistema: sigla = 'SII', usuarios = [], itens = [] }: ProfileOptions,
): Promise<number> {
  const em = service.services.orm.em.fork();
  const sistema = await em.findOneOrFail(Sistema, { sigla });
  const perfil = em.create(Perfil, { nome, sistema });
  const recurso = em.create(Recurso, { nome: 'Recurso de teste', sistema });
  const perfilRecurso = em.create(PerfilRecurso, { perfil, recurso });
  for (const pessoa of await em.find(Pessoa, { usuario: [...usuarios] }))
    em.create(Permissao, { pessoa, perfil });
  for (const { controller, itemMenu, nivel = 1, ordem = null } of itens)
    em.create(PerfilRecursoItem, {
      descricao: 'Item de teste',
      perfilRecurso,
      controller: controller ? await em.findOneOrFail(Controller, { nome: controller, sistema }) : null,
      itemMenu: itemMenu ? em.getReference(ItemMenu, itemMenu) : null,
      nivel,
      ordem,
    });
  await em.flush();
  return perfil.id;
}

interface MenuOptions {
  nome: string;
  /** Acronym of the system of the menu. */
  sistema?: string;
  /** Its lines by name, each with the path of the controller that it opens. */
  linhas: Readonly<Record<string, string | null>>;
}

/** A menu with its lines, in no particular order. Returns the ids of the lines by name. */
export async function makeMenu(
  service: TestService,
  { nome, sistema: sigla = 'SII', linhas }: MenuOptions,
): Promise<Record<string, number>> {
  const em = service.services.orm.em.fork();
  const sistema = await em.findOneOrFail(Sistema, { sigla });
  const menu = em.create(Menu, { nome, sistema });
  const lines: Record<string, ItemMenu> = {};
  for (const [linha, path] of Object.entries(linhas)) {
    const controller = path === null ? null : await em.findOneOrFail(Controller, { nome: path, sistema });
    lines[linha] = em.create(ItemMenu, { nome: linha, menu, controller });
  }
  await em.flush();
  return Object.fromEntries(Object.entries(lines).map(([linha, { id }]) => [linha, id]));
}

/** A person with access. Returns their id. */
export async function makePerson(service: TestService, usuario: string): Promise<number> {
  const em = service.services.orm.em.fork();
  const pessoa = em.create(Pessoa, { nome: usuario, email: `${usuario}@universidade.example`, usuario });
  em.create(AcessoAmbiente, { pessoa });
  await em.flush();
  return pessoa.id;
}

/** A session of a person, live for an hour or already ended. Returns its id. */
export async function makeSession(
  service: TestService,
  idPessoa: number,
  token: string,
  { ended = false } = {},
): Promise<number> {
  const em = service.services.orm.em.fork();
  return em.insert(Sessao, {
    tokenHash: digest(token),
    pessoa: idPessoa,
    sistema: await em.findOneOrFail(Sistema, { sigla: 'SII' }),
    expiraEm: new Date(Date.now() + 3_600_000),
    encerradaEm: ended ? new Date() : null,
  });
}

/** Id of a demo user. */
export async function personOf(service: TestService, usuario: string): Promise<number> {
  const [row] = await service.sql('select id from pessoa where usuario = $1', [usuario]);
  return row![0] as number;
}
