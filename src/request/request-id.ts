import { randomUUID } from 'node:crypto';
import type { TraceParent } from '../runtime/spans.ts';

/** What a caller's id of a request may be, so that it fits the audit trail and can be told from text. */
const GIVEN = /^[\w.:+=/-]{8,36}$/;

/** `traceparent` of W3C Trace Context. Later versions may add parts at its end. */
const TRACE_PARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?:-.*)?$/;

/** The caller's place in its trace; undefined if it names none. */
export function traceParentOf(header: string | undefined): TraceParent | undefined {
  const { traceId, spanId, flags } = TRACE_PARENT.exec(header ?? '')?.groups ?? {};
  return traceId && spanId && flags ? { traceId, spanId, flags: parseInt(flags, 16) } : undefined;
}

export interface RequestName {
  /** Names the request in answers, log and audit trail. The caller may choose it, so it need not be unique. */
  requestId: string;
  /** The caller's trace, to which the request belongs. */
  traceId: string | undefined;
}

/** The names of a request: the caller's `X-Request-Id`, or else its trace, or else an own one. Others are ignored. */
export function nameOf(requestId: string | undefined, traceParent: string | undefined): RequestName {
  const traceId = traceParentOf(traceParent)?.traceId;
  const isUsable = requestId !== undefined && GIVEN.test(requestId);
  return { requestId: isUsable ? requestId : (traceId ?? randomUUID()), traceId };
}
