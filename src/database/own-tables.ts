import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/**
 * Tables without entities: throttle (including `tentativa_login` of the previous version), audit trail, idempotency,
 * uploads, cached permissions, files and movements of maps, reports of imports, state of webhooks, order of changes,
 * settings.
 */
export const WITHOUT_ENTITIES = [
  'tentativa_login',
  'tentativa_senha',
  'auditoria',
  'auditoria_antes',
  'cadeia_auditoria',
  'elo_auditoria',
  'selo_auditoria',
  'idempotencia',
  'envio_arquivo',
  'estado_permissoes',
  'conteudo_mapa',
  'informado_mapa',
  'andamento_importacao',
  'recusadas_importacao',
  'andamento_webhook',
  'historia_mudancas',
  'mudanca_transacao',
  'posicao_sessao',
  'configuracao',
];

/**
 * Names of the service's tables and views, without the months of the audit trail. The schema may contain others: of an
 * extension, or of people who look after the database.
 */
export function ownTables(orm: MikroORM): string[] {
  const entities = [...orm.getMetadata().getAll().values()].filter(({ virtual }) => !virtual);
  return [...WITHOUT_ENTITIES, 'mikro_orm_migrations', ...entities.map(({ tableName }) => tableName)];
}

/**
 * Functions of migrations create triggers on all tables of the schema. This limits them to the tables that the
 * transaction names.
 */
const LIMIT = `do $$ declare funcao oid; begin
  for funcao in
    select p.oid from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and p.proname in ('auditar_tabelas', 'versionar_tabelas', 'dobrar_tabelas') and p.prosrc not like '%sii.tabelas%'
  loop
    execute replace(pg_get_functiondef(funcao), 'c.relkind = ''r''',
      'c.relkind = ''r'' and c.relname = any (string_to_array(current_setting(''sii.tabelas'', true), '',''))');
  end loop;
end $$`;

/**
 * Runs migrations in a transaction in which the functions for all tables see only those of the service. They are limited
 * before each migration, because migrations create and call them.
 */
export async function withOwnTables(
  orm: MikroORM,
  inside: EntityManager,
  migrations: () => Promise<unknown>,
): Promise<void> {
  const limit = async (): Promise<void> => {
    await inside.execute(LIMIT);
  };
  await inside.execute(`select set_config('sii.tabelas', ?, true)`, [ownTables(orm).join()]);
  orm.migrator.on('migrating', limit);
  try {
    await migrations();
    await limit();
  } finally {
    orm.migrator.off('migrating', limit);
  }
}
