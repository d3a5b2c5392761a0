/** Spans of the worker; loaded only when tracing is on, after the process has set it up. */
import { type ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { makeWorkflowExporter, OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry';

/** Creates a span for each attempt of a step, as a child of its process's span. */
export const tracedSteps: ActivityInterceptorsFactory = (context) => ({
  inbound: new OpenTelemetryActivityInboundInterceptor(context),
});

/** Exports workflow spans from their sandbox to the common tracer. */
export function processSpans() {
  const provider = (trace.getTracerProvider() as ProxyTracerProvider).getDelegate() as BasicTracerProvider;
  return makeWorkflowExporter(provider.getActiveSpanProcessor(), provider.resource);
}
