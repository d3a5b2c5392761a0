/** Updates the Schedules of the server from their definitions. */
import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { type Priority, TypedSearchAttributes } from '@temporalio/common';
import { ProcessKind, Stage } from '../../workflows/contracts/searchAttributes.js';
import { type ScheduleDefinition, SCHEDULES } from '../../workflows/schedules.js';
import { queueName, temporal } from './client.js';

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
