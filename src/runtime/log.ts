import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { build } from 'pino-pretty';
import type { Config } from '../config.ts';

/** An error as the log tells it, without PostgreSQL's `detail`, which holds values of rows. */
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

/** MikroORM writes the detail into the message, too, with which the stack begins. */
const withoutDetail = (text: unknown): string =>
  String(text).replaceAll(/\n - detail: [^]*?(?=\n {4}at |$)/g, '');

export interface LogOptions extends Pick<Config, 'LOG_LEVEL'> {
  pretty?: boolean;
  /** Whether each line is written before the program goes on. */
  sync?: boolean;
}

/** In the process itself, and at once, so that the last line before an end is written too. */
const forPeople = (): DestinationStream =>
  build({
    destination: 2,
    sync: true,
    singleLine: true,
    ignore: 'pid,hostname',
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
  });

/**
 * The log goes to standard error, where it does not drown what a program answers on standard output: one JSON line an
 * event, or, `pretty`, as people read it.
 */
export const openLog = ({ LOG_LEVEL, pretty = false, sync = false }: LogOptions): Logger =>
  pino(
    { level: LOG_LEVEL, serializers: { err } },
    pretty ? forPeople() : pino.destination({ dest: 2, sync }),
  );
