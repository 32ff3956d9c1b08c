import { randomUUID } from 'node:crypto';

/** What a caller's id of a request may be, so that it fits the audit trail and can be told from text. */
const GIVEN = /^[\w.:+=/-]{8,36}$/;

/** `traceparent` of W3C Trace Context. Later versions may add parts at its end. */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/;

export interface RequestName {
  /** Names the request in answers, log and audit trail. The caller may choose it, so it need not be unique. */
  requestId: string;
  /** The caller's trace, to which the request belongs. */
  traceId: string | undefined;
}

/** The names of a request: the caller's `X-Request-Id`, or else its trace, or else an own one. Others are ignored. */
export function nameOf(requestId: string | undefined, traceParent: string | undefined): RequestName {
  const traceId = TRACE_PARENT.exec(traceParent ?? '')?.[1];
  const isUsable = requestId !== undefined && GIVEN.test(requestId);
  return { requestId: isUsable ? requestId : (traceId ?? randomUUID()), traceId };
}
