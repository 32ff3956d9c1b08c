import type { TestService } from './service.ts';

export interface Grant {
  /** Path of the controller; null is every controller of the profile's system. */
  controller: string | null;
  nivel: number;
  /** Acronym of the system of the profile. */
  sistema?: string;
  /** Acronym of the system of the controller. */
  sistemaDoController?: string;
}

/** Gives a demo user a profile of their own. Answers how to take it away again. */
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

/** Makes a system known that may call, with this key. */
export async function addSystem(service: TestService, sigla: string, apiKey: string): Promise<void> {
  await service.sql(
    `with system as (insert into sistema (nome, sigla) values ($1, $1) returning id)
     insert into chave_api (id_sistema, hash) select id, sha256(convert_to($2, 'UTF8')) from system`,
    [sigla, apiKey],
  );
}
