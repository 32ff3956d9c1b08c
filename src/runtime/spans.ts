/** Name and attributes of a span: names of the service, numbers and flags, but no text from clients. */
export interface SpanName {
  name: string;
  attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** The result of a span. */
export interface SpanEnd extends Partial<SpanName> {
  failed?: boolean;
}

export interface OpenSpan {
  /** The span's trace: 32 hexadecimal digits. */
  traceId: string;
  /** Runs work whose spans are children of this one. */
  run<T>(work: () => T): T;
  end(end?: SpanEnd): void;
}

/** `server` for a request, `internal` for a step of it, `client` for a call to another server. */
export type SpanKind = 'server' | 'internal' | 'client';

/** A caller's span, as W3C Trace Context names it. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  /** 1 if the caller records the trace. */
  flags: number;
}

/**
 * Opens a span. A request's span is a child of the caller's, if there is one; any other is a child of the current span.
 * Returns none for work outside requests.
 */
export type Tracer = (kind: SpanKind, name: () => SpanName, caller?: TraceParent) => OpenSpan | undefined;

let tracer: Tracer | undefined;

/** Switches spans on for this process; `undefined` switches them off. */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** A new span; undefined if spans are off, and then its name is not computed. */
export const openSpan = (
  kind: SpanKind,
  name: () => SpanName,
  caller?: () => TraceParent | undefined,
): OpenSpan | undefined => tracer?.(kind, name, caller?.());

/** Runs a step of a request in a span. */
export async function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const span = openSpan('internal', () => ({ name }));
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}
