/** A push port that measures its requests and counts their outcomes. */
import { Histogram } from 'prom-client';
import type { PushAdapter, PushPlatform, PushPort } from './port.js';

const sends = new Histogram({
  name: 'membership_push_duration_seconds',
  help: 'Pushes sent to a gateway, by outcome.',
  labelNames: ['platform', 'outcome'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Returns the adapter with metrics. */
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
