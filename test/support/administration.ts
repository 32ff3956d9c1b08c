import { randomUUID } from 'node:crypto';
import { Controller } from '../../src/entities/permissoes/controller.ts';
import { Sistema } from '../../src/entities/permissoes/sistema.ts';
import type { Answer, Client } from './client.ts';
import { makePerson, makeProfile, makeSession, type ProfileItem } from './permissions.ts';
import type { TestService } from './service.ts';

export const area = '/permissoes';
export const items = `${area}/perfis-recrusos-itens`;

/** Level 2 on all controllers of permissions: enough to write, but not to give permissions to others. */
const clerk: readonly ProfileItem[] = [
  'permissoes/permissoes',
  'permissoes/perfis',
  'permissoes/perfis-recrusos-itens',
  'permissoes/controllers',
  'permissoes/recursos',
  'permissoes/sistemas',
  'permissoes/acesso-ambiente',
].map(controller => ({ controller, nivel: 2 }));

/** Level 3 on every controller of the service. */
export const everything: readonly ProfileItem[] = [{ nivel: 3 }];

const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;

interface Caller {
  client: Client;
  idPessoa: number;
  idPerfil: number;
  /** The id of their permission for that profile. */
  idPermissao: number;
}

/** A new person who is logged in and holds a profile of the service with these items. */
export async function makeCaller(
  service: TestService,
  itens: readonly ProfileItem[] = clerk,
): Promise<Caller> {
  const [usuario, token] = [unique('pessoa'), randomUUID()];
  const idPessoa = await makePerson(service, usuario);
  await makeSession(service, idPessoa, token);
  const idPerfil = await makeProfile(service, { usuarios: [usuario], itens });
  const [row] = await service.sql('select id from permissao where id_pessoa = $1', [idPessoa]);
  return { client: service.anyone.with({ token }), idPessoa, idPerfil, idPermissao: row![0] as number };
}

/** Gives a person a profile. Returns the id of the permission. */
export async function hold(service: TestService, idPessoa: number, idPerfil: number): Promise<number> {
  const insert = 'insert into permissao (id_pessoa, id_perfil) values ($1, $2) returning id';
  return (await service.sql(insert, [idPessoa, idPerfil]))[0]![0] as number;
}

/** Sets the state of a record directly in the database. */
export const setSituacao = (service: TestService, table: string, id: number, situacao: 'A' | 'I') =>
  service.sql(`update ${table} set situacao = $1 where id = $2`, [situacao, id]);

/**
 * A separate system with the controllers `coisas` and `outras`, a profile that gives level 2 on `coisas`, and a profile
 * without permissions.
 */
export interface World {
  sigla: string;
  idSistema: number;
  coisas: number;
  outras: number;
  idPerfil: number;
  /** The item with the profile's permission. */
  idItem: number;
  /** The link of the profile that contains the item. */
  idPerfilRecurso: number;
  vazio: number;
  /** The link of the profile without permissions. */
  linkVazio: number;
  /** A person without a profile. */
  idPessoa: number;
}

export async function makeWorld(service: TestService): Promise<World> {
  const em = service.services.orm.em.fork();
  const sigla = unique('S');
  const sistema = em.create(Sistema, { sigla, nome: sigla });
  const controllers = ['coisas', 'outras'].map(nome => em.create(Controller, { nome, sistema }));
  await em.flush();
  const idPerfil = await makeProfile(service, {
    sistema: sigla,
    itens: [{ controller: 'coisas', nivel: 2 }],
  });
  const vazio = await makeProfile(service, { sistema: sigla });
  const link = async (id: number) =>
    (await service.sql('select id from perfil_recurso where id_perfil = $1', [id]))[0]![0] as number;
  const idPerfilRecurso = await link(idPerfil);
  const [item] = await service.sql('select id from perfil_recurso_item where id_perfil_recurso = $1', [
    idPerfilRecurso,
  ]);
  return {
    sigla,
    idSistema: sistema.id,
    coisas: controllers[0]!.id,
    outras: controllers[1]!.id,
    idPerfil,
    idItem: item![0] as number,
    idPerfilRecurso,
    vazio,
    linkVazio: await link(vazio),
    idPessoa: await makePerson(service, unique('pessoa')),
  };
}

/** The bodies that write its records unchanged. */
export const bodies = {
  permission: ({ idPessoa, idPerfil }: World) => ({ id_pessoa: idPessoa, id_perfil: idPerfil }),
  item: ({ idPerfilRecurso, coisas }: World) => ({
    descricao: 'Item',
    id_perfil_recurso: idPerfilRecurso,
    id_controller: coisas,
    nivel: 2,
  }),
  profile: ({ idSistema }: World) => ({ nome: 'Perfil', id_sistema: idSistema }),
  controller: ({ idSistema }: World) => ({ nome: 'coisas', id_sistema: idSistema }),
  system: ({ sigla }: World) => ({ nome: sigla, sigla }),
};
export const active = { situacao: 'A' };
export const inactive = { situacao: 'I' };

/** A request that changes a world, for different callers. */
type Ask = (client: Client) => Promise<Answer>;
export type Change = (world: World) => Ask | Promise<Ask>;

/** Permissions in a world, from least to most. */
export const holdings = [
  'nothing',
  'level 2 on it',
  'level 3 on another',
  'level 3 on it',
  'its system',
] as const;
export type Holding = (typeof holdings)[number];
const held: Record<Holding, { controller?: string; nivel: number }[]> = {
  nothing: [],
  'level 2 on it': [{ controller: 'coisas', nivel: 2 }],
  'level 3 on another': [{ controller: 'outras', nivel: 3 }],
  'level 3 on it': [{ controller: 'coisas', nivel: 3 }],
  'its system': [{ nivel: 3 }],
};

/** A person who writes permissions at level 2, and holds this in a world. */
export async function makeClerk(service: TestService, holding: Holding, { sigla }: World): Promise<Caller> {
  const caller = await makeCaller(service);
  const itens = held[holding];
  if (itens.length > 0)
    await hold(service, caller.idPessoa, await makeProfile(service, { sistema: sigla, itens }));
  return caller;
}
