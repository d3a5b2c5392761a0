/** Starts metrics and traces of the API, the worker and the bounce receiver, each if configured. */
import { config } from '../../config.js';
import { log } from '../../models/log.js';
import type { Tracing } from './tracing.js';

/**
 * Starts metrics and traces, each if it is configured. Call this before anything else in a process.
 * @returns a function that stops tracing
 */
export async function observe(part: 'api' | 'worker' | 'bounces'): Promise<() => Promise<void>> {
  let tracing: Tracing | undefined;
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import('./tracing.js');
    tracing = startTracing(part, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  }
  if (config.METRICS_PORT !== undefined) await serveMetricsOn(config.METRICS_PORT);
  return async () => tracing?.stop();
}

/** Serves metrics on a port. If the port is in use, the process runs without metrics, which shows in monitoring. */
async function serveMetricsOn(requestedPort: number): Promise<void> {
  const { serveMetrics } = await import('./metricsServer.js');
  try {
    const { port } = await serveMetrics(requestedPort);
    log.info({ part: 'metrics', port }, 'serving metrics');
  } catch (error) {
    log.error({ err: error, part: 'metrics', port: requestedPort }, 'cannot serve metrics: METRICS_PORT is in use');
  }
}
