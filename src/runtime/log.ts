import { pino, stdSerializers, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { build } from 'pino-pretty';
import type { Config } from '../config.ts';

/** An error for the log, without PostgreSQL's `detail`, which contains row values. */
function err(error: Error): object {
  const { type, message, stack, ...rest } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  const { code, table, constraint, column } = rest;
  return {
    type,
    message: withoutDetail(message),
    stack: withoutDetail(stack),
    code,
    table,
    constraint,
    column,
  };
}

/** MikroORM copies the detail into the message, and so into the start of the stack. */
const withoutDetail = (text: unknown): string =>
  String(text).replaceAll(/\n - detail: [^]*?(?=\n {4}at |$)/g, '');

export interface LogOptions extends Pick<Config, 'LOG_LEVEL'> {
  pretty?: boolean;
  /** Whether each line is written synchronously. */
  sync?: boolean;
}

/** In this process and synchronous, so that the last line before an exit is written, too. */
const forPeople = (): DestinationStream =>
  build({
    destination: 2,
    sync: true,
    singleLine: true,
    ignore: 'pid,hostname',
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
  });

/**
 * Lines are gathered for up to so many bytes or milliseconds. A write for each line took a thirtieth of a small request
 * (decision 127).
 */
const GATHERED = { minLength: 4_096, periodicFlush: 100 };

/** JSON lines. A warning or an error is written at once, with all lines before it. */
function forMachines(options: LoggerOptions, sync: boolean): Logger {
  const destination = pino.destination({ dest: 2, sync, ...(!sync && GATHERED) });
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (inputs, method, level) {
    method.apply(this, inputs);
    if (level > pino.levels.values['info']!) destination.flush();
  };
  return pino({ ...options, hooks: { logMethod } }, destination);
}

/**
 * Logs to standard error, because commands print their results to standard output: one JSON line for each event or,
 * with `pretty`, readable text.
 */
export function openLog({ LOG_LEVEL, pretty = false, sync = false }: LogOptions): Logger {
  const options = { level: LOG_LEVEL, serializers: { err } };
  return pretty ? pino(options, forPeople()) : forMachines(options, sync);
}
