import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import type { TraceParent, Tracer } from '../../runtime/spans.ts';

const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/** The service's spans as those of OpenTelemetry. */
export function tracerOf(tracer: OtelTracer): Tracer {
  const active = new AsyncLocalStorage<Context>();
  const ofCaller = (caller: TraceParent | undefined): Context =>
    caller
      ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, traceFlags: caller.flags, isRemote: true })
      : ROOT_CONTEXT;
  return (kind, named, caller) => {
    const above = kind === 'server' ? ofCaller(caller) : active.getStore();
    if (!above) return undefined;
    const { name, attributes } = named();
    const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, above);
    const below = trace.setSpan(above, span);
    return {
      traceId: span.spanContext().traceId,
      run: work => active.run(below, work),
      end: ({ name: last, attributes: found, failed } = {}) => {
        if (last !== undefined) span.updateName(last);
        if (found) span.setAttributes(found);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}
