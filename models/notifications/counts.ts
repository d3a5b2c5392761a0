/** How much is new, for whoever asks each minute. Counts are of all, not of the newest that the list shows. */
import { rows, type Statement } from '../database/rows.js';
import { LISTED } from './listNotifications.js';

/** How many `$1` has not read. */
export const COUNTED = `SELECT count(*)::int FROM notifications n WHERE ${LISTED} AND n.read_at IS NULL`;

/** What somebody has not read. */
export const countUnread = (userId: string): Statement => ({
  text: `SELECT (${COUNTED}) AS count`,
  values: [userId],
  kept: true,
});

/** What somebody has not read and is asked to act on. */
export const countToActOn = (userId: string): Statement => ({
  text: `SELECT (${COUNTED} AND n.requires_action) AS count`,
  values: [userId],
  kept: true,
});

export interface AlertSummary {
  notifications: number;
  /** What waits for this person's decision. */
  approvals: number;
  compliance: number;
}

/** What the header shows. Approvals and compliance items are counted here once there are some. */
export const alertSummary = (userId: string): Statement => ({
  text: `SELECT (${COUNTED}) AS notifications, 0 AS approvals, 0 AS compliance`,
  values: [userId],
  kept: true,
});

/** The row of such a statement. */
export async function counted<Row>({ text, values }: Statement): Promise<Row> {
  const [row] = await rows<Row>(text, values);
  return row as Row;
}
