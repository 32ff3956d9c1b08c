import { isIP } from 'node:net';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

const flag = z
  .string()
  .regex(/^(true|false|1|0)$/i, 'must be true or false')
  .transform(text => /^(true|1)$/i.test(text));

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine(value => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const list = z.string().transform(text =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean),
);

const timeZone = z.string().refine(name => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}, 'must be a time zone such as America/Sao_Paulo');

/** Every setting, by the name of its environment variable. `.env.example` explains each; a test compares the two. */
const settings = z.object({
  PORT: integer(0, 65535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must be like postgresql://user:password@host:5432/database')
    .optional(),
  DATABASE_POOL: integer(2, 200).default(10),
  EXPORT_POOL: integer(1, 50).default(3),
  DATA_DIR: z.string().min(1).default('.data'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  INSTITUTION_TZ: timeZone.default('America/Sao_Paulo'),
  TOKEN_HOURS: integer(1, 720).default(8),
  MAX_ITEMS_PER_PAGE: integer(1, 100_000).default(1000),
  MAX_UNPAGINATED_ROWS: integer(1, 1_000_000).default(10_000),
  MAX_BODY_BYTES: integer(1024, 100_000_000).default(1_000_000),
  STATEMENT_TIMEOUT_MS: integer(100, 600_000).default(15_000),
  SHUTDOWN_SECONDS: integer(1, 600).default(25),
  TRUSTED_PROXIES: list.default([]),
  CORS_ORIGINS: list.default(['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com']),
  SANDBOX: flag.default(true),
});

export type Config = z.output<typeof settings>;

/** Names of the environment variables that are read. */
export const settingNames = Object.keys(settings.shape);

/**
 * The environment as checked, typed settings. An empty variable counts as absent.
 * @throws ConfigError that names every bad variable and what would be right
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.entries(environment).filter(
    ([name, value]) => settingNames.includes(name) && value !== '',
  );
  const result = settings.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map(issue => `${String(issue.path[0])}: ${issue.message}`));
}

export class ConfigError extends OperatorError {
  constructor(problems: string[]) {
    super(
      `The configuration cannot be used:\n${problems.map(p => `  ${p}`).join('\n')}\nSee .env.example for every setting.`,
    );
  }
}
