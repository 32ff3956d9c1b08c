import { randomUUID } from 'node:crypto';
import type { TraceParent } from '../runtime/spans.ts';

/** Valid ids from callers: they fit the audit trail and contain no free text. */
const GIVEN = /^[\w.:+=/-]{8,36}$/;

/** `traceparent` of W3C Trace Context. Later versions may add parts at its end. */
const TRACE_PARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?:-.*)?$/;

/** The caller's span; undefined if the header is missing or invalid. */
export function traceParentOf(header: string | undefined): TraceParent | undefined {
  const { traceId, spanId, flags } = TRACE_PARENT.exec(header ?? '')?.groups ?? {};
  return traceId && spanId && flags ? { traceId, spanId, flags: parseInt(flags, 16) } : undefined;
}

export interface RequestName {
  /** Identifies the request in answers, log and audit trail. The caller may choose it, so it is not unique. */
  requestId: string;
  /** The caller's trace, to which the request belongs. */
  traceId: string | undefined;
}

/**
 * Identifiers of a request. The id is the caller's `X-Request-Id`, or else the trace id, or else a new one. Invalid
 * values are ignored.
 */
export function nameOf(requestId: string | undefined, traceParent: string | undefined): RequestName {
  const traceId = traceParentOf(traceParent)?.traceId;
  const isUsable = requestId !== undefined && GIVEN.test(requestId);
  return { requestId: isUsable ? requestId : (traceId ?? randomUUID()), traceId };
}
