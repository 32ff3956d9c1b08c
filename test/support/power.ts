import { randomUUID } from 'node:crypto';
import { HELD } from '../../src/access/granted.ts';
import { everything, hold, makeWorld } from './administration.ts';
import { systemHeaders, type Client } from './client.ts';
import { makePerson, makeProfile, makeSession, personOf } from './permissions.ts';
import type { TestService } from './service.ts';

export const NEW_PASSWORD = 'taken over by somebody';

/** A person with level 3 on one controller, and the ids that they know of other people. */
export interface Holder {
  client: Client;
  idPessoa: number;
  idPerfil: number;
  idPermissao: number;
  /** The item and the link of their own profile. */
  idItem: number;
  idLink: number;
  /** A second account that they control. */
  accomplice: number;
}

/** The ids of everything that could be taken over, as an attacker would find them. */
export interface Prey {
  /** User names of people with permissions. */
  usuarios: string[];
  pessoas: number[];
  perfis: number[];
  permissoes: number[];
  sessoes: number[];
  /** A person with all permissions who may not log in. */
  shutOut: number;
  /** Profiles that would give all permissions, if some part of them were active. */
  dormant: number[];
  /** Inactive records that would give all permissions when active. */
  inactive: {
    recurso: number;
    perfil: number;
    item: number;
    link: number;
    sistema: number;
    controller: number;
  };
  sii: number;
}

export async function makePrey(service: TestService): Promise<Prey> {
  const one = async (text: string, ...values: unknown[]) =>
    (await service.sql(text, values))[0]![0] as number;
  const all = async (text: string) => (await service.sql(text)).flat() as number[];
  const usuarios = ['admin', 'almoxarife', 'tecnico'];
  const shutOut = await makePerson(service, 'shut-out');
  await service.sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [shutOut]);
  await hold(service, shutOut, await makeProfile(service, { nome: 'Fora', itens: everything }));
  const dormant = async (table: string, of: number) => {
    await service.sql(`update ${table} set situacao = 'I' where id = $1`, [of]);
    return of;
  };
  const byResource = await makeProfile(service, { nome: 'Por recurso', itens: everything });
  const byItem = await makeProfile(service, { nome: 'Por item', itens: everything });
  const perfil = await makeProfile(service, { nome: 'Por perfil', itens: everything });
  const linkOf = (id: number) => one('select id from perfil_recurso where id_perfil = $1', id);
  const link = await linkOf(byItem);
  const world = await makeWorld(service);
  const inactive = {
    recurso: await dormant(
      'recurso',
      await one('select id_recurso from perfil_recurso where id_perfil = $1', byResource),
    ),
    perfil: await dormant('perfil', perfil),
    item: await dormant(
      'perfil_recurso_item',
      await one('select id from perfil_recurso_item where id_perfil_recurso = $1', link),
    ),
    link,
    sistema: await dormant('sistema', world.idSistema),
    controller: await dormant('controller', world.coisas),
  };
  const sessoes = [];
  for (const usuario of usuarios)
    sessoes.push(await makeSession(service, await personOf(service, usuario), `session of ${usuario}`));
  return {
    usuarios,
    pessoas: await Promise.all(usuarios.map(usuario => personOf(service, usuario))),
    perfis: await all(
      `select id_perfil from permissao pm join pessoa p on p.id = pm.id_pessoa where p.usuario in ('admin', 'tecnico')`,
    ),
    permissoes: await all(
      `select pm.id from permissao pm join pessoa p on p.id = pm.id_pessoa where p.usuario = 'admin'`,
    ),
    sessoes,
    shutOut,
    dormant: [byResource, byItem, perfil],
    inactive,
    sii: await one(`select id from sistema where sigla = 'SII'`),
  };
}

/** A new person with level 3 on only this controller, or on every one. They also hold the inactive profiles. */
export async function makeHolder(
  service: TestService,
  controller: string | null,
  prey: Prey,
): Promise<Holder> {
  const usuario = `holder-${randomUUID().slice(0, 8)}`;
  const idPessoa = await makePerson(service, usuario);
  await makeSession(service, idPessoa, usuario);
  const item = { nivel: 3, ...(controller !== null && { controller }) };
  const idPerfil = await makeProfile(service, { usuarios: [usuario], itens: [item] });
  for (const dormant of prey.dormant) await hold(service, idPessoa, dormant);
  const [[idPermissao, idLink, idItem]] = (await service.sql(
    `select pm.id, pr.id, i.id from permissao pm join perfil_recurso pr on pr.id_perfil = pm.id_perfil
     join perfil_recurso_item i on i.id_perfil_recurso = pr.id where pm.id_pessoa = $1 and pm.id_perfil = $2`,
    [idPessoa, idPerfil],
  )) as [[number, number, number]];
  const client = service.anyone.with({ ...systemHeaders, token: usuario });
  const accomplice = await makePerson(service, `${usuario}-2`);
  return { client, idPessoa, idPerfil, idPermissao, idItem, idLink, accomplice };
}

/** All permissions of people, including people who may not log in: `person system controller level`. */
export async function holdings(service: TestService): Promise<Set<string>> {
  const rows = await service.sql(
    `select id_pessoa, sistema, coalesce(controller, '*'), max(nivel) from ${HELD} held
     join acesso_ambiente a using (id_pessoa) where a.situacao = 'A' group by 1, 2, 3`,
  );
  return new Set(rows.map(row => row.join(' ')));
}

const base = '/permissoes';
const item = { descricao: 'Tudo', nivel: 3, id_controller: null, situacao: 'A' };
const A = { situacao: 'A' };

/**
 * Tries every way to get more permissions, to act as another person or to lock one out. Returns the status of each
 * attempt.
 */
export async function tryEverything(me: Holder, prey: Prey): Promise<Record<string, number>> {
  const { client } = me;
  const { inactive, sii } = prey;
  const answers: Record<string, number> = {};
  const rest = async (method: string, path: string, body: object) => {
    const { status } = await client.send(method, path, body);
    answers[`${method} ${path}`] = status;
  };
  const graphql = async (mutation: string) => {
    const { errors } = await client.graphql(`mutation { ${mutation} }`);
    answers[mutation] = errors ? 400 : 200;
  };
  for (const username of prey.usuarios)
    await rest('PUT', '/auth/senha', { username, password: NEW_PASSWORD });
  for (const id of prey.sessoes) await graphql(`encerrarSessao(id: ${id}) { id }`);
  for (const id_perfil of prey.perfis) {
    await rest('POST', `${base}/permissoes`, { id_pessoa: me.idPessoa, id_perfil });
    await rest('PUT', `${base}/permissoes/${me.idPermissao}`, { id_pessoa: me.idPessoa, id_perfil });
  }
  for (const id of prey.permissoes)
    await rest('PUT', `${base}/permissoes/${id}`, { id_pessoa: me.accomplice, id_perfil: prey.perfis[0] });
  await rest('POST', `${base}/permissoes`, { id_pessoa: me.accomplice, id_perfil: me.idPerfil });
  for (const id_perfil of prey.perfis)
    await rest('POST', `${base}/pessoas`, { id_pessoa: me.accomplice, id_perfil });
  await rest('POST', `${base}/pessoas`, { id_pessoa: prey.shutOut, id_perfil: me.idPerfil });
  await rest('POST', `${base}/acesso-ambiente`, { id_pessoa: prey.shutOut });
  const items = `${base}/perfis-recrusos-itens`;
  await rest('POST', items, { ...item, id_perfil_recurso: me.idLink });
  await rest('PUT', `${items}/${me.idItem}`, { ...item, id_perfil_recurso: me.idLink });
  await rest('PUT', `${items}/${inactive.item}`, { ...item, id_perfil_recurso: me.idLink });
  await rest('PUT', `${items}/${inactive.item}`, { ...item, id_perfil_recurso: inactive.link });
  await rest('PUT', `${base}/perfis/${inactive.perfil}`, { nome: 'Por perfil', id_sistema: sii, ...A });
  await rest('PUT', `${base}/recursos/${inactive.recurso}`, { nome: 'Por recurso', id_sistema: sii, ...A });
  await rest('PUT', `${base}/controllers/${inactive.controller}`, {
    nome: 'coisas',
    id_sistema: inactive.sistema,
    ...A,
  });
  await rest('PUT', `${base}/sistemas/${inactive.sistema}`, { nome: 'X', sigla: `X${me.idPessoa}`, ...A });
  await rest('PUT', `${base}/perfis/${me.idPerfil}`, { nome: 'Meu', id_sistema: inactive.sistema });
  await rest('POST', '/almoxarifadoquimicos/responsaveis-laboratorio', {
    id_local: 1,
    id_pessoa: me.idPessoa,
  });
  await graphql(`emitirChaveApi(idSistema: ${sii}) { id }`);
  await graphql(`definirLimiteFalhas(idSistema: ${sii}, input: { limiteFalhas: 100 }) { id }`);
  await rest(
    'PUT',
    '/institucional/usuarios-ldap/almoxarifado.quimico@universidade.example?gerarCodigoCvr=true',
    {},
  );
  await rest('PUT', '/institucional/usuarios-ldap/admin@universidade.example?suspenderConta=true', {});
  for (const id of [prey.pessoas[0], prey.pessoas[2]]) await rest('DELETE', `${base}/pessoas/${id}`, {});
  return answers;
}
