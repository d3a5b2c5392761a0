import { oneRow } from '../database/rows.js';
import { announceMade, MADE, type Made, RETURNING_MADE } from './realtime/announcements.js';
import { INTO_NOTIFICATIONS } from './statements.js';

/**
 * Makes notifications in one statement; who is connected is told of them after the commit.
 * @param selections SQL of their rows, with `$1…` for `values`
 */
export async function makeNotifications(selections: readonly string[], values: readonly unknown[]): Promise<void> {
  if (selections.length === 0) return;
  const inserts = selections.map((rows, n) => `made_${n} AS (${INTO_NOTIFICATIONS} ${rows} ${RETURNING_MADE})`);
  const made = selections.map((_, n) => `SELECT * FROM made_${n}`).join(' UNION ALL ');
  announceMade(await oneRow<Made>(`WITH ${inserts.join(', ')}, made AS (${made}) SELECT ${MADE}`, values));
}
