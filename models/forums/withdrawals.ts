/** Withdraws many notifications of a thread in pages, by a process. */
import { forumWithdrawal } from '../../workflows/contracts/index.js';
import { enqueue } from '../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../database/rows.js';
import { RowMissing } from '../errors.js';
import { cancelFanoutsOf, type EndedEvents, withdrawNextOf } from '../notifications/fanouts/withdrawNotifications.js';

/** The texts of a thread that readers no longer see. */
export const hiddenEventsOf = (postId: string): EndedEvents => ({
  subjectType: 'forum_post',
  subjectId: postId,
  events: 'hidden_forum_events',
});

/** Starts the process that withdraws the notifications of hidden texts of a thread. */
export async function startWithdrawal(postId: string): Promise<void> {
  const { version } = await oneRow<{ version: string }>(
    `INSERT INTO forum_withdrawals (organization_id, post_id, version)
     SELECT organization_id, id, version FROM forum_posts WHERE organization_id = $1 AND id = $2
     ON CONFLICT ON CONSTRAINT forum_withdrawals_once DO UPDATE SET finished_at = NULL
     RETURNING version::text`,
    [currentOrganization(), postId],
  );
  await enqueue(forumWithdrawal, { postId, version });
}

/**
 * Withdraws the next page of notifications. Texts that readers see again are left out. Repeating it changes nothing.
 * @returns whether there are more
 * @throws RowMissing
 */
export async function withdrawNextPage(postId: string, version: string, pageSize?: number): Promise<boolean> {
  const values = [currentOrganization(), postId, version];
  const row = 'organization_id = $1 AND post_id = $2 AND version = $3::int';
  const withdrawal = await firstRow<{ isFinished: boolean }>(
    `SELECT finished_at IS NOT NULL AS "isFinished" FROM forum_withdrawals WHERE ${row} FOR UPDATE`,
    values,
  );
  if (!withdrawal) throw new RowMissing('There is no such withdrawal.');
  if (withdrawal.isFinished) return false;
  const hidden = hiddenEventsOf(postId);
  await cancelFanoutsOf(hidden);
  if (await withdrawNextOf(hidden, pageSize)) return true;
  await rows(`UPDATE forum_withdrawals SET finished_at = now() WHERE ${row}`, values);
  return false;
}
