/** Brings the server's Schedules in line with their definitions. */
import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { type Priority, TypedSearchAttributes } from '@temporalio/common';
import { ProcessKind, Stage } from '../../workflows/contracts/searchAttributes.js';
import { type ScheduleDefinition, SCHEDULES } from '../../workflows/schedules.js';
import { queueName, temporal } from './client.js';

/** What schedules start is no organization's: together they count as one. */
const PLATFORM = 'platform';

/** The SDK takes a priority here, and describes one; only the type of what is given leaves it out. */
type Options = ScheduleOptions & { action: { priority: Priority } };

/** A Schedule's id on this deployment's server. */
export const scheduleId = (id: string): string => queueName(id);

/** Creates what is missing and updates what differs; whether an operator paused one is left alone. Safe to run at every start. */
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
    // Runs do not pile up: the next one sees whatever a slow one has not come to.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  } satisfies Options;
}
