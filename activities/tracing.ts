/** Spans of the worker; loaded only when tracing is on, after the process has set it up. */
import { type ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { makeWorkflowExporter, OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry';

/** A span around each attempt of a step, below the process that wants it. */
export const tracedSteps: ActivityInterceptorsFactory = (context) => ({
  inbound: new OpenTelemetryActivityInboundInterceptor(context),
});

/** Takes the spans of processes out of their sandbox to where all others go. */
export function processSpans() {
  const provider = (trace.getTracerProvider() as ProxyTracerProvider).getDelegate() as BasicTracerProvider;
  return makeWorkflowExporter(provider.getActiveSpanProcessor(), provider.resource);
}
