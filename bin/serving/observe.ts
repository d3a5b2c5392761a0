/** What API, worker and the receiver of bounces have in common for their operators: metrics and traces, each if it is asked for. */
import { config } from '../../config.js';
import { log } from '../../models/log.js';
import type { Tracing } from './tracing.js';

/**
 * Starts what the environment asks for. Call it first in a process.
 * @returns the way to send what is left before the process ends
 */
export async function observe(part: 'api' | 'worker' | 'bounces'): Promise<() => Promise<void>> {
  let tracing: Tracing | undefined;
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import('./tracing.js');
    tracing = startTracing(part, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  }
  if (config.METRICS_PORT !== undefined) await metricsOn(config.METRICS_PORT);
  return async () => tracing?.stop();
}

/** Who watches sees that nothing answers there; that is no reason not to serve. */
async function metricsOn(wanted: number): Promise<void> {
  const { serveMetrics } = await import('./metricsServer.js');
  try {
    const { port } = await serveMetrics(wanted);
    log.info({ part: 'metrics', port }, 'the metrics are served');
  } catch (error) {
    log.error({ err: error, part: 'metrics', port: wanted }, 'the metrics cannot be served: METRICS_PORT is taken');
  }
}
