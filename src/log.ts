import { pino, stdSerializers, type Logger } from 'pino';
import type { Config } from './config.ts';

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

/** The log goes to standard error, where it does not drown what a program answers on standard output. */
export const openLog = ({ LOG_LEVEL }: Config): Logger =>
  pino({ level: LOG_LEVEL, serializers: { err } }, pino.destination(2));
