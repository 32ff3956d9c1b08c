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

/** Makes the spans of the service with OpenTelemetry. */
export function tracerOf(tracer: OtelTracer): Tracer {
  const active = new AsyncLocalStorage<Context>();
  const contextOf = (caller: TraceParent | undefined): Context =>
    caller
      ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, traceFlags: caller.flags, isRemote: true })
      : ROOT_CONTEXT;
  return (kind, named, caller) => {
    const parent = kind === 'server' ? contextOf(caller) : active.getStore();
    if (!parent) return undefined;
    const { name, attributes } = named();
    const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, parent);
    const context = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      run: work => active.run(context, work),
      end: ({ name: last, attributes: found, failed } = {}) => {
        if (last !== undefined) span.updateName(last);
        if (found) span.setAttributes(found);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}
