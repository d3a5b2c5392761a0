/**
 * Spans around operations, when tracing is enabled. Attributes are ids and names that the platform chose, never user
 * input.
 */
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

/** Runs `work` in a span; without tracing, just runs it. @param parent context that the span continues */
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

/** Context of a stored `traceparent`; without one, a new trace begins. */
export const traceOf = (traceparent: string | null): Context =>
  traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
