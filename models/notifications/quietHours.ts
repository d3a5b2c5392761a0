/** When mail and push are to wait for somebody. The row comes with the first look. */
import { type Edit, editRow, lockRow } from '../database/model/change.js';
import { readRow, type ShownRow } from '../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { requireTimezone } from '../database/timezones.js';
import { UserQuietHours } from './UserQuietHours.js';

type QuietHours = ShownRow<typeof UserQuietHours>;

/** Somebody's quiet hours: off, from 22:00 to 07:00 by the clock of the organization, until they say otherwise. */
export async function readQuietHours(userId: string): Promise<QuietHours> {
  await rows(
    `INSERT INTO user_quiet_hours (user_id, timezone) SELECT $1, timezone FROM organizations WHERE id = $2
     ON CONFLICT ON CONSTRAINT user_quiet_hours_once DO NOTHING`,
    [userId, currentOrganization()],
  );
  const { start_time, end_time, ...kept } = await readRow(UserQuietHours, { user_id: userId });
  return { ...kept, start_time: start_time.slice(0, 5), end_time: end_time.slice(0, 5) };
}

/**
 * Changes them; what they hold is decided anew, in each of the person's organizations.
 * @throws Refusal validation_error, stale_version
 */
export async function changeQuietHours(userId: string, edit: Edit<UserQuietHours>): Promise<QuietHours> {
  await requireTimezone(edit.timezone);
  await readQuietHours(userId);
  await editRow(await lockRow(UserQuietHours, { user_id: userId }), edit);
  await rows('SELECT app.release_held($1)', [userId]);
  return readQuietHours(userId);
}

/** Whether an organization whose provider signed somebody in would decide on the nights of another organization. */
export async function belongsElsewhere(userId: string): Promise<boolean> {
  const row = await firstRow<{ elsewhere: boolean }>('SELECT app.belongs_elsewhere($1, $2) AS elsewhere', [
    userId,
    currentOrganization(),
  ]);
  return row?.elsewhere ?? false;
}
