/** Liveness of this process, and readiness of its dependencies. */
import { z } from 'zod';
import { pingTemporal } from '../../gateways/temporal/processes/workers.js';
import { auxiliaryPool } from '../../models/database/auxiliaryPool.js';
import { listPendingMigrations } from '../../models/database/listPendingMigrations.js';
import { replicaState } from '../../models/database/replica.js';
import { Answer, get, type Route } from './routes.js';

const check = z.enum(['ok', 'failed']);
const Readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.object({ database: check, migrations: check, temporal: check }),
    replica: z.object({ used: z.boolean(), lag_seconds: z.number().nullable() }).optional().meta({
      description: 'Present when a replica is configured: whether this process reads from it, and its lag.',
    }),
  })
  .meta({ id: 'Readiness' });

type Check = () => Promise<boolean>;

const database: Check = async () => (await auxiliaryPool().query('SELECT 1')).rowCount === 1;

const schema: Check = async () => (await listPendingMigrations()).length === 0;

const orchestration: Check = async () => {
  await pingTemporal();
  return true;
};

async function outcome(run: Check): Promise<z.infer<typeof check>> {
  try {
    return (await run()) ? 'ok' : 'failed';
  } catch {
    return 'failed';
  }
}

/** Reads work without the replica, so it does not affect readiness. */
function replica() {
  const state = replicaState();
  return state ? { replica: { used: state.leftOut === null, lag_seconds: state.lagSeconds } } : {};
}

export const systemRoutes: Route[] = [
  get(
    '/healthz/',
    {
      summary: 'Liveness of the process',
      operationId: 'isAlive',
      access: 'public',
      throttle: [],
      tags: ['system'],
      response: z.object({ status: z.literal('alive') }),
    },
    () => Promise.resolve({ status: 'alive' as const }),
  ),
  get(
    '/readyz/',
    {
      summary: 'Readiness of the process',
      description: 'Answers 503 with the same body when a check failed.',
      operationId: 'isReady',
      access: 'public',
      throttle: [],
      tags: ['system'],
      response: Readiness,
      alsoStatus: [503],
    },
    async () => {
      const [ofDatabase, ofMigrations, ofTemporal] = [outcome(database), outcome(schema), outcome(orchestration)];
      const checks = {
        database: await ofDatabase,
        migrations: await ofMigrations,
        temporal: await ofTemporal,
      };
      const ready = Object.values(checks).every((state) => state === 'ok');
      const answer = { status: ready ? 'ready' : 'not_ready', checks, ...replica() } as const;
      return new Answer(answer, { status: ready ? 200 : 503 });
    },
  ),
];
