import { createHash } from 'node:crypto';
import { settingNames, type Config } from '../config.ts';
import type { Reader } from '../database/reader.ts';

/** Settings that may differ between the machines of a service. Others change what it answers, or which rules hold. */
const OWN: ReadonlySet<string> = new Set<keyof Config>([
  'PORT',
  'HOST',
  'WORKERS',
  'METRICS_PORT',
  'METRICS_HOST',
  'DATABASE_URL',
  'READ_MAX_LAG_MS',
  'DATABASE_POOL',
  'EXPORT_POOL',
  'DATA_DIR',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'LOG_LEVEL',
  'SLOW_STATEMENT_MS',
  'SHUTDOWN_SECONDS',
  'TRUSTED_PROXIES',
  'INSTITUTION_LOGO',
  'LDAP_CA_FILE',
  'LDAP_POOL',
]);

/** It is compared whether they are set. Their own digests could be guessed, and are not stored. */
const SECRET = [
  'WEBHOOK_KEY',
  'LDAP_BIND_PASSWORD',
  'FILES_S3_ACCESS_KEY_ID',
  'FILES_S3_SECRET_ACCESS_KEY',
] as const satisfies (keyof Config)[];

/**
 * The values that are compared. Machines may reach the standbys by other addresses, so their number counts: a process without
 * any does not store what a session has seen, and with another number the same session reads from another standby.
 */
const comparedOf = (config: Config): Record<string, unknown> => ({
  ...config,
  ...Object.fromEntries(SECRET.map(name => [name, config[name] !== undefined])),
  DATABASE_READ_URLS: config.DATABASE_READ_URLS.length,
});

/** Stores the digests, and returns the names of those that were others before. New names are none of them. */
const STORE = `with given as (
  select nome, resumo from jsonb_each_text($1::jsonb) as e (nome, resumo)
), other as (
  select g.nome from given g join configuracao c on c.nome = g.nome and c.resumo <> g.resumo
), stored as (
  insert into configuracao (nome, resumo) select nome, resumo from given order by nome
  on conflict (nome) do update set resumo = excluded.resumo where configuracao.resumo <> excluded.resumo
)
select nome as c0 from other order by nome`;

/**
 * Names of the settings that differ from those of the process that started last on this database, although all of them must
 * have the same. Stores those of this process.
 */
export async function differingSettings(reader: Reader, config: Config): Promise<string[]> {
  const shared = settingNames.filter(name => !OWN.has(name));
  const compared = comparedOf(config);
  // An absent setting is compared, too.
  const digests = shared.map(name => [name, digestOf(compared[name] ?? null)]);
  const rows = await reader.rows(STORE, [JSON.stringify(Object.fromEntries(digests))]);
  return rows.flat() as string[];
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
