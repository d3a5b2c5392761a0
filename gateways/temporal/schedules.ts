/** Brings the server's Schedules in line with their definitions. */
import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { ProcessKind, Stage } from '../../workflows/contracts/searchAttributes.js';
import { type ScheduleDefinition, SCHEDULES } from '../../workflows/schedules.js';
import { queueName, temporal } from './client.js';

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

function optionsFor({ id, workflow, kind, taskQueue, minute, catchupWindow, summary }: ScheduleDefinition) {
  return {
    scheduleId: scheduleId(id),
    spec: { calendars: [{ minute, hour: '*' as const }] },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: scheduleId(id),
      taskQueue: queueName(taskQueue),
      args: [],
      typedSearchAttributes: new TypedSearchAttributes([
        { key: ProcessKind, value: kind },
        { key: Stage, value: 'started' },
      ]),
      staticSummary: summary,
    },
    // Runs do not pile up: the next one sees whatever a slow one has not come to.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  } satisfies ScheduleOptions;
}
