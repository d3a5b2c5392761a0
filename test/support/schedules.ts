/** Paused schedules: the hour at which tests run does not matter. */
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { SCHEDULES } from '../../workflows/schedules.js';

const handles = () => SCHEDULES.map(({ id }) => temporal().schedule.getHandle(scheduleId(id)));

/** Creates every Schedule of this file, paused: it runs when it is triggered, and not at its own time. */
export async function restingSchedules(): Promise<void> {
  await upsertSchedules();
  for (const schedule of handles()) await schedule.pause('Tests trigger by hand.');
}

/** Deletes them. */
export async function deleteSchedules(): Promise<void> {
  for (const schedule of handles()) await schedule.delete();
}
