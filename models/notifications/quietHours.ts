/**
 * Reads and changes the quiet hours of a person, in which neither mail nor pushes are sent. Reading creates the row if
 * there is none.
 */
import { type Edit, editRow, lockForEdit } from '../database/model/change.js';
import { readRow, type ShownRow } from '../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { requireTimezone } from '../database/timezones.js';
import { UserQuietHours } from './UserQuietHours.js';

type QuietHours = ShownRow<typeof UserQuietHours>;

/** Returns a person's quiet hours. Default: off, 22:00 to 07:00 in the timezone of the organization. */
export async function readQuietHours(userId: string): Promise<QuietHours> {
  await rows(
    `INSERT INTO user_quiet_hours (user_id, timezone) SELECT $1, timezone FROM organizations WHERE id = $2
     ON CONFLICT ON CONSTRAINT user_quiet_hours_once DO NOTHING`,
    [userId, currentOrganization()],
  );
  const { start_time, end_time, ...rest } = await readRow(UserQuietHours, { user_id: userId });
  return { ...rest, start_time: start_time.slice(0, 5), end_time: end_time.slice(0, 5) };
}

/**
 * Changes a person's quiet hours. In all of the person's organizations, deliveries that the old hours delayed are
 * decided on again by the new hours.
 * @throws Refusal validation_error, stale_version
 */
export async function changeQuietHours(userId: string, edit: Edit<UserQuietHours>): Promise<QuietHours> {
  await requireTimezone(edit.timezone);
  await readQuietHours(userId);
  await editRow(await lockForEdit(UserQuietHours, { user_id: userId }), edit);
  await rows('SELECT app.release_held($1)', [userId]);
  return readQuietHours(userId);
}

/**
 * Reports whether the person belongs to other organizations. If so, a change of the quiet hours would also affect the
 * person's notifications from those organizations.
 */
export async function belongsToOtherOrganization(userId: string): Promise<boolean> {
  const row = await firstRow<{ elsewhere: boolean }>('SELECT app.belongs_elsewhere($1, $2) AS elsewhere', [
    userId,
    currentOrganization(),
  ]);
  return row?.elsewhere ?? false;
}
