import { pino, stdSerializers, type Logger, type LoggerOptions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from '../config.ts';
import { LogStream } from './log-stream.ts';

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

const STDERR = 2;

/** In this process and synchronous, so that the last line before an exit is written, too. */
function forPeople(options: LoggerOptions): Logger {
  const readable = prettyFactory({
    singleLine: true,
    ignore: 'pid,hostname',
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
  });
  const stream = new LogStream(STDERR, true);
  const lines = {
    write: (line: string): void => stream.write(readable(line)),
    flushSync: (): void => stream.flushSync(),
  };
  return pino(options, lines);
}

/** JSON lines. A warning or an error is written at once, with all lines before it. */
function forMachines(options: LoggerOptions, sync: boolean): Logger {
  const stream = new LogStream(STDERR, sync);
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (inputs, method, level) {
    method.apply(this, inputs);
    if (level > pino.levels.values['info']!) stream.flush();
  };
  return pino({ ...options, hooks: { logMethod } }, stream);
}

/**
 * Logs to standard error, because commands print their results to standard output: one JSON line for each event or,
 * with `pretty`, readable text.
 */
export function openLog({ LOG_LEVEL, pretty = false, sync = false }: LogOptions): Logger {
  // When this is first read, Node opens a pipe so that no write waits for its reader. A thread that waited could not even end.
  Reflect.get(process, 'stderr');
  const options = { level: LOG_LEVEL, serializers: { err } };
  return pretty ? forPeople(options) : forMachines(options, sync);
}
