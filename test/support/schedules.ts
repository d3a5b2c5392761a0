/** Schedules that do nothing of their own accord: the hour at which tests run is no part of them. */
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { SCHEDULES } from '../../workflows/schedules.js';

const handles = () => SCHEDULES.map(({ id }) => temporal().schedule.getHandle(scheduleId(id)));

/** Makes every Schedule of this file, paused: it runs when it is triggered, and not when its own moment comes. */
export async function restingSchedules(): Promise<void> {
  await upsertSchedules();
  for (const schedule of handles()) await schedule.pause('Tests trigger by hand.');
}

/** Takes them away again. */
export async function deleteSchedules(): Promise<void> {
  for (const schedule of handles()) await schedule.delete();
}
