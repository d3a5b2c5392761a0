/** Updates the Schedules of the server from their definitions. */
import {
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type ScheduleSummary,
} from '@temporalio/client';
import { type Priority, TypedSearchAttributes } from '@temporalio/common';
import { ProcessKind, Stage } from '../../workflows/contracts/searchAttributes.js';
import { type ScheduleDefinition, SCHEDULES } from '../../workflows/schedules.js';
import { queueName, temporal } from './client.js';
import { callTemporal } from './processes/callTemporal.js';

/** The fairness key of all processes that schedules start, which belong to no organization. */
const PLATFORM = 'platform';

/** The SDK accepts a priority here; only its type lacks it. */
type Options = ScheduleOptions & { action: { priority: Priority } };

/** Returns the id of a Schedule, with the prefix of this deployment. */
export const scheduleId = (id: string): string => queueName(id);

/** Creates missing Schedules and updates changed ones; a pause by an operator stays. Safe to run at every start. */
export async function upsertSchedules(): Promise<void> {
  for (const definition of SCHEDULES) await upsert(definition);
}

async function upsert(definition: ScheduleDefinition): Promise<void> {
  const { schedule } = temporal();
  const options = optionsFor(definition);
  try {
    await schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies } = options;
    await schedule
      .getHandle(options.scheduleId)
      .update((previous) => ({ ...previous, spec, action, ...(policies && { policies }) }));
  }
}

function optionsFor({ id, process, calendars, catchupWindow }: ScheduleDefinition) {
  return {
    scheduleId: scheduleId(id),
    spec: { calendars: [...calendars], timezone: 'UTC' },
    action: {
      type: 'startWorkflow',
      workflowType: process.name,
      workflowId: scheduleId(id),
      taskQueue: queueName(process.taskQueue),
      args: [],
      typedSearchAttributes: new TypedSearchAttributes([
        { key: ProcessKind, value: process.kind },
        { key: Stage, value: 'started' },
      ]),
      staticSummary: process.summary,
      priority: { priorityKey: process.priority, fairnessKey: PLATFORM },
    },
    // Skips a run while the previous one is still running: the next run handles all that is left.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  } satisfies Options;
}

/** `overdue`: its last run began too long ago, although it is not paused. */
export type ScheduleState = 'running' | 'paused' | 'overdue' | 'missing';

/**
 * Reads the state of each Schedule that this release declares, by its id. Reads Temporal's list, which lags behind by
 * about a second: to describe each Schedule would cost the server a query of its workflow.
 * @throws TemporalUnavailable
 */
export async function readScheduleStates(): Promise<Map<string, ScheduleState>> {
  const found = new Map<string, ScheduleSummary>();
  await callTemporal(async ({ schedule }) => {
    for await (const one of schedule.list({ pageSize: 1_000 })) found.set(one.scheduleId, one);
  });
  return new Map(SCHEDULES.map(({ id }) => [id, stateOf(found.get(scheduleId(id)))]));
}

function stateOf(schedule: ScheduleSummary | undefined): ScheduleState {
  if (!schedule) return 'missing';
  if (schedule.state?.paused) return 'paused';
  return isOverdue(schedule) ? 'overdue' : 'running';
}

/** A run is overdue when it is later than this, or than one and a half times its interval if that is shorter. */
const MAX_LATENESS_MS = 3 * 3_600_000;

/** A run that is due while the one before still runs is skipped, and counts as late as well. */
function isOverdue({ info }: ScheduleSummary): boolean {
  const [next, following] = info?.nextActionTimes ?? [];
  if (!next || !following) return false;
  const intervalMs = following.getTime() - next.getTime();
  const runs = info?.recentActions.map(({ takenAt }) => takenAt.getTime()) ?? [];
  // A Schedule that has not run yet is due at the next time.
  const dueMs = runs.length > 0 ? Math.max(...runs) + intervalMs : next.getTime();
  return Date.now() - dueMs > Math.min(1.5 * intervalMs, MAX_LATENESS_MS);
}
