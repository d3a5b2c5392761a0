/** How the push gateways stand, as operators see it: the same figure in every process. */
import { Gauge, register } from 'prom-client';
import { direct } from '../../database/direct.js';
import type { Platform } from './PushToken.js';

interface Standing {
  platform: Platform;
  paused: boolean;
  halted: boolean;
}

/** A scrape is answered in any case. */
const DEADLINE_MS = 2_000;

let reading: Promise<Standing[]> | undefined;

/** One statement for all gauges of a scrape; nothing when the database does not answer in time. */
function standings(): Promise<Standing[]> {
  const late = new Promise<Standing[]>((resolve) => setTimeout(() => resolve([]), DEADLINE_MS).unref());
  reading ??= Promise.race([ask(), late])
    .catch(() => [])
    .finally(() => (reading = undefined));
  return reading;
}

const ask = async (): Promise<Standing[]> =>
  (
    await direct().query<Standing>(
      'SELECT platform, paused_at IS NOT NULL AS paused, pruning_halted_at IS NOT NULL AS halted FROM push_gateways',
    )
  ).rows;

const gauge = (name: string, help: string, of: (standing: Standing) => boolean): void =>
  register.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: ['platform'] as const,
      registers: [],
      async collect() {
        // An old figure would look like a true one.
        this.reset();
        for (const standing of await standings()) this.set({ platform: standing.platform }, Number(of(standing)));
      },
    }),
  );

gauge(
  'membership_push_gateway_paused',
  'Whether pushes rest because a gateway does not take our credentials.',
  ({ paused }) => paused,
);
gauge(
  'membership_push_pruning_halted',
  'Whether a gateway called so many phones unknown that none is given up.',
  ({ halted }) => halted,
);
