import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../request/context.ts';
import { traceParentOf } from '../request/request-id.ts';
import type { SpanEnd, TraceParent } from '../runtime/spans.ts';

/** The span of the caller. */
export const callerOf =
  ({ headers }: IncomingMessage) =>
  (): TraceParent | undefined =>
    traceParentOf([headers['traceparent']].flat()[0]);

/** Attributes of a request's span. They contain no more than the log line. */
export function requestSpan(method: string, { trace, requestId }: Context, res: ServerResponse): SpanEnd {
  const { statusCode, writableFinished } = res;
  const status = Math.max(statusCode, trace.failure);
  return {
    name: trace.counted ?? `${method} other`,
    attributes: {
      'http.request.method': method,
      'http.route': trace.operation ?? 'other',
      'http.response.status_code': statusCode,
      'sii.status': status,
      'sii.finished': writableFinished,
      'sii.request_id': requestId,
      'sii.database_ms': Math.round(trace.dbMs),
    },
    failed: status >= 500,
  };
}
