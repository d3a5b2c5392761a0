/** Sends spans to an OpenTelemetry collector by OTLP over HTTP. */
import type { Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { config } from '../../config.js';

/**
 * Allowed span attributes. Error messages quote values and workflow memos may contain personal data, so both are
 * excluded.
 */
const ALLOWED_ATTRIBUTES = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'requestId',
  'organizationId',
  'process',
  'outcome',
  'workflowType',
  'workflowId',
  'runId',
  'taskQueue',
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
]);

const SHUTDOWN_MS = 3_000;

const onlyAllowed = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED_ATTRIBUTES.has(name)));

/** Copies a span with its allowed attributes only. An error in the span keeps its type and loses its message. */
function withoutDetails(span: ReadableSpan): ReadableSpan {
  const eventsWithoutDetails = span.events.map(({ name, time, attributes }) => {
    const type = attributes?.['exception.type'];
    return { name, time, attributes: type === undefined ? {} : { 'exception.type': type } };
  });
  return Object.assign(Object.create(span) as ReadableSpan, {
    attributes: onlyAllowed(span.attributes),
    status: { code: span.status.code },
    events: eventsWithoutDetails,
    links: [],
  });
}

const withoutPersonalData = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(withoutDetails), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

export interface Tracing {
  /** Sends remaining spans, for a few seconds at most. */
  stop(): Promise<void>;
}

/** Call once, before the first span. The SDK itself reads further `OTEL_*` variables such as headers and sampling. */
export function startTracing(part: 'api' | 'worker' | 'bounces', endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: new Resource({ 'service.name': config.OTEL_SERVICE_NAME ?? `membership-${part}` }),
    spanProcessors: [new BatchSpanProcessor(withoutPersonalData(exporter))],
  });
  provider.register();
  return {
    async stop() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
    },
  };
}
