/** Spans around what we do, when tracing is on. Attributes are ids and names of ours; never what people typed. */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { config } from '../config.js';

/** Runs `work` in a span that ends with it; without tracing it is just run. @param parent what the span continues */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  if (!config.tracing) return work();
  return trace.getTracer('membership').startActiveSpan(name, { attributes }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The current span as W3C `traceparent`; null without tracing or outside of any span. */
export function currentTraceparent(): string | null {
  if (!config.tracing) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** What a span continues that was written down as `traceparent`; without one it begins a trace of its own. */
export const traceOf = (traceparent: string | null): Context =>
  traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
