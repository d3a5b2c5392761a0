import { oneRow } from '../database/rows.js';
import { announceCreated, CREATED_COLUMNS, type CreatedRange, RETURNING_CREATED } from './realtime/announcements.js';
import { INTO_NOTIFICATIONS } from './statements.js';

/**
 * Inserts notifications in one statement. Recipients with an open realtime connection receive them after the commit.
 * @param selections SQL of the rows, with `$1…` for `values`
 */
export async function insertNotifications(selections: readonly string[], values: readonly unknown[]): Promise<void> {
  if (selections.length === 0) return;
  const inserts = selections.map((rows, n) => `made_${n} AS (${INTO_NOTIFICATIONS} ${rows} ${RETURNING_CREATED})`);
  const unionOfCreated = selections.map((_, n) => `SELECT * FROM made_${n}`).join(' UNION ALL ');
  announceCreated(
    await oneRow<CreatedRange>(
      `WITH ${inserts.join(', ')}, made AS (${unionOfCreated}) SELECT ${CREATED_COLUMNS}`,
      values,
    ),
  );
}
