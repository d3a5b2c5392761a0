/** Metrics of requests. Labels are methods, route templates and status classes, never ids, names or tenants. */
import { Counter, Gauge, Histogram } from 'prom-client';

const durations = new Histogram({
  name: 'membership_http_request_duration_seconds',
  help: 'Time from the request to the end of its answer.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

export const inFlight = new Gauge({
  name: 'membership_http_requests_in_flight',
  help: 'Requests whose answer has not been sent yet.',
});

const throttled = new Counter({
  name: 'membership_throttled_requests_total',
  help: 'Requests answered with 429, by the exceeded limit.',
  labelNames: ['scope'] as const,
});

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Records the duration and the status of a request.
 * @param status status of the response; 499 when the client disconnected before it
 */
export function countRequest(method: string, route: string, status: number, milliseconds: number): void {
  durations.observe(
    {
      method: METHODS.has(method) ? method : 'other',
      route,
      status: status === 499 ? 'aborted' : `${Math.floor(status / 100)}xx`,
    },
    milliseconds / 1000,
  );
}

export const countThrottled = (scope: string): void => throttled.inc({ scope });
