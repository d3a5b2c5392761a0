/** Metrics and traces of API, worker and bounce receiver, each if configured. */
import { config } from '../../config.js';
import { log } from '../../models/log.js';
import type { Tracing } from './tracing.js';

/** Starts what is configured. Call it first in a process. */
export async function observe(part: 'api' | 'worker' | 'bounces'): Promise<() => Promise<void>> {
  let tracing: Tracing | undefined;
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import('./tracing.js');
    tracing = startTracing(part, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  }
  if (config.METRICS_PORT !== undefined) await metricsOn(config.METRICS_PORT);
  return async () => tracing?.stop();
}

/** A missing metrics port shows in monitoring; the process serves without it. */
async function metricsOn(wanted: number): Promise<void> {
  const { serveMetrics } = await import('./metricsServer.js');
  try {
    const { port } = await serveMetrics(wanted);
    log.info({ part: 'metrics', port }, 'the metrics are served');
  } catch (error) {
    log.error({ err: error, part: 'metrics', port: wanted }, 'the metrics cannot be served: METRICS_PORT is taken');
  }
}
