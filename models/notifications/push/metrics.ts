/** Metrics of the push gateways. They are read from the database, so every process reports the same values. */
import { Gauge, register } from 'prom-client';
import { auxiliaryPool } from '../../database/auxiliaryPool.js';
import type { Platform } from './PushToken.js';

interface GatewayState {
  platform: Platform;
  paused: boolean;
  halted: boolean;
}

/** Time that a metrics scrape waits for the database, because it must respond even if the database is slow. */
const DEADLINE_MS = 2_000;

let pendingRead: Promise<GatewayState[]> | undefined;

/**
 * Reads the states of all gateways with one statement per scrape. Returns an empty list if the database does not
 * respond in time.
 */
function readGatewayStates(): Promise<GatewayState[]> {
  const late = new Promise<GatewayState[]>((resolve) => setTimeout(() => resolve([]), DEADLINE_MS).unref());
  pendingRead ??= Promise.race([queryGatewayStates(), late])
    .catch(() => [])
    .finally(() => (pendingRead = undefined));
  return pendingRead;
}

const queryGatewayStates = async (): Promise<GatewayState[]> =>
  (
    await auxiliaryPool().query<GatewayState>(
      'SELECT platform, paused_at IS NOT NULL AS paused, pruning_halted_at IS NOT NULL AS halted FROM push_gateways',
    )
  ).rows;

const gauge = (name: string, help: string, of: (state: GatewayState) => boolean): void =>
  register.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: ['platform'] as const,
      registers: [],
      async collect() {
        // Removes the previous values first: without a response of the database they would look current.
        this.reset();
        for (const state of await readGatewayStates()) this.set({ platform: state.platform }, Number(of(state)));
      },
    }),
  );

gauge(
  'membership_push_gateway_paused',
  'Whether pushes are paused because a gateway refuses our credentials.',
  ({ paused }) => paused,
);
gauge(
  'membership_push_pruning_halted',
  'Whether no tokens are removed because a gateway reported too many as unregistered.',
  ({ halted }) => halted,
);
