/** A push port that measures its calls and counts what becomes of them. */
import { Histogram } from 'prom-client';
import type { PushAdapter, PushPlatform, PushPort } from './port.js';

const sends = new Histogram({
  name: 'membership_push_duration_seconds',
  help: 'Pushes offered to a gateway, by what became of them.',
  labelNames: ['platform', 'outcome'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** The same adapter, observed. */
export const metered = (platform: PushPlatform, adapter: PushAdapter): PushPort => ({
  async send(message) {
    const began = performance.now();
    const verdict = await adapter.send(message);
    const durationMs = Math.round(performance.now() - began);
    sends.observe({ platform, outcome: verdict.outcome }, durationMs / 1000);
    return { ...verdict, durationMs };
  },
  close: () => adapter.close(),
});
