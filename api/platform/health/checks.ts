/** Checks of the parts that the platform needs, for platform admins. Texts name no hosts, addresses or statements. */
import { pingTemporal, listUnservedQueues } from '../../../gateways/temporal/processes/workers.js';
import { readScheduleStates, type ScheduleState } from '../../../gateways/temporal/schedules.js';
import { auxiliaryPool } from '../../../models/database/auxiliaryPool.js';
import { listPendingMigrations } from '../../../models/database/listPendingMigrations.js';
import { readOutboxBacklog } from '../../../models/database/readOutboxBacklog.js';
import { replicaState } from '../../../models/database/replica.js';
import { log } from '../../../models/log.js';
import type { HealthCheck } from './schema.js';

type Finding = Omit<HealthCheck, 'name'>;
type Figures = Omit<Finding, 'status' | 'detail' | 'advice'>;

const ok = (detail: string, figures: Figures = {}): Finding => ({ status: 'ok', detail, advice: null, ...figures });

/** Time after which a check counts as failing. */
const TIMEOUT_MS = 2_000;

async function checkDatabase(): Promise<Finding> {
  await auxiliaryPool().query('SELECT 1');
  const replica = replicaState();
  if (!replica) return ok('The database answers.');
  const figures = { replica_lag_seconds: replica.lagSeconds };
  if (replica.leftOut === null) return ok('The database and its read replica answer.', figures);
  return {
    status: 'degraded',
    detail: 'The database answers. Its read replica is left out: it is behind, does not answer or may not be used.',
    advice: 'Look for the reason in the log of the API; until then the database carries all reads.',
    ...figures,
  };
}

async function checkMigrations(): Promise<Finding> {
  const pending = await listPendingMigrations();
  if (pending.length === 0) return ok('All migrations of this release are applied.', { pending });
  return {
    status: 'failing',
    detail: `Migrations of this release that are not applied: ${pending.length}.`,
    advice: 'Run `npm run migrate`.',
    pending,
  };
}

async function checkTemporal(): Promise<Finding> {
  await pingTemporal();
  return ok('Temporal answers.');
}

async function checkTaskQueues(): Promise<Finding> {
  const unserved = await listUnservedQueues();
  if (unserved.length === 0) return ok('Each task queue has a worker.', { unserved });
  return {
    status: 'failing',
    detail: `Task queues without a worker: ${unserved.join(', ')}. Their processes wait.`,
    advice: 'Start a worker that serves these queues, or look in its log for the reason why it stopped.',
    unserved,
  };
}

/** Ages of the oldest row. A row is normally dispatched within a second. */
const OLD_SECONDS = 60;
const TOO_OLD_SECONDS = 600;

async function checkOutbox(): Promise<Finding> {
  const { waiting, oldestSeconds } = await readOutboxBacklog();
  const figures = { waiting, oldest_seconds: Math.round(oldestSeconds) };
  if (oldestSeconds <= OLD_SECONDS) return ok('Committed work is handed over to Temporal at once.', figures);
  return {
    status: oldestSeconds > TOO_OLD_SECONDS ? 'failing' : 'degraded',
    detail: `Rows that wait to be handed over to Temporal: ${waiting}. The oldest has waited for ${figures.oldest_seconds} seconds.`,
    advice: 'Check that Temporal answers and that a worker runs; the rows are then handed over by themselves.',
    ...figures,
  };
}

async function checkSchedules(): Promise<Finding> {
  const states = [...(await readScheduleStates())];
  const idsIn = (state: ScheduleState) => states.filter(([, one]) => one === state).map(([id]) => id);
  const figures = { missing: idsIn('missing'), paused: idsIn('paused'), overdue: idsIn('overdue') };
  const { missing, paused, overdue } = figures;
  const problems = Object.entries(figures).flatMap(([state, ids]) =>
    ids.length > 0 ? [`${state}: ${ids.join(', ')}`] : [],
  );
  if (problems.length === 0) return ok('All schedules run on time.', figures);
  return {
    status: missing.length > 0 ? 'failing' : 'degraded',
    detail: `Schedules that do not run on time: ${problems.join('; ')}.`,
    advice: adviceForSchedules(missing.length > 0, overdue.length > 0, paused.length > 0),
    ...figures,
  };
}

function adviceForSchedules(isMissing: boolean, isOverdue: boolean, isPaused: boolean): string {
  const steps = [
    ...(isMissing ? ['restart a worker, which creates missing schedules'] : []),
    ...(isOverdue
      ? [
          'look whether the previous run of an overdue one is stuck; one that was paused or changed is on time again at its next run',
        ]
      : []),
    ...(isPaused ? ['resume the paused ones in the Temporal UI once their reason is gone'] : []),
  ].join('; ');
  return `${steps.charAt(0).toUpperCase()}${steps.slice(1)}.`;
}

interface Check {
  make: () => Promise<Finding>;
  /** The part that must answer. */
  part: 'The database' | 'Temporal';
}

const CHECKS: Record<HealthCheck['name'], Check> = {
  database: { make: checkDatabase, part: 'The database' },
  migrations: { make: checkMigrations, part: 'The database' },
  temporal: { make: checkTemporal, part: 'Temporal' },
  task_queues: { make: checkTaskQueues, part: 'Temporal' },
  outbox: { make: checkOutbox, part: 'The database' },
  schedules: { make: checkSchedules, part: 'Temporal' },
};

const ADVICE_IF_SILENT: Record<Check['part'], string> = {
  'The database': 'Check that the database runs and is not overloaded; the log of the API has the error.',
  Temporal: 'Check that Temporal runs and that the API can reach it; the log of the API has the error.',
};

/** Makes all checks at the same time. Never rejects: a check that cannot be made is failing. */
export function checkHealth(): Promise<HealthCheck[]> {
  const names = Object.keys(CHECKS) as HealthCheck['name'][];
  return Promise.all(names.map(async (name) => ({ name, ...(await makeInTime(name, CHECKS[name])) })));
}

async function makeInTime(name: HealthCheck['name'], { make, part }: Check): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The check took too long.')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([make(), timeout]);
  } catch (error) {
    log.warn({ err: error, detail: name }, 'a health check could not be made');
    return {
      status: 'failing',
      detail: `${part} answered this check with an error, or not within ${TIMEOUT_MS / 1000} seconds.`,
      advice: ADVICE_IF_SILENT[part],
    };
  } finally {
    clearTimeout(timer);
  }
}
