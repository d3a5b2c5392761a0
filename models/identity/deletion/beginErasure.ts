/**
 * Begins the erasure of an account once the waiting period is over. After that, the deletion can no longer be
 * cancelled.
 */
import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { AccountDeletion } from './AccountDeletion.js';
import { checkLastAdmin } from './lastAdmin.js';

/**
 * Reads a deletion request.
 * @throws RowMissing
 */
export const readDeletion = async (id: string) => required(await findRow(AccountDeletion, id));

function required<Row>(row: Row | null): Row {
  if (!row) throw new RowMissing('There is no such deletion of an account.');
  return row;
}

/**
 * Returns the seconds until the erasure may begin; 0 when it is due or was cancelled.
 * @throws RowMissing
 */
export async function secondsToErasure(id: string): Promise<number> {
  const row = await firstRow<{ seconds: number }>(
    `SELECT CASE WHEN status = 'requested' THEN greatest(0, ceil(extract(epoch FROM erases_at - now())))::int ELSE 0 END AS seconds
       FROM account_deletions WHERE id = $1`,
    [id],
  );
  return required(row).seconds;
}

/**
 * Disables the account, ends its sessions and mails a farewell, once. Refuses the deletion when the person is the last
 * admin of an organization or of the platform.
 */
export async function beginErasure(id: string): Promise<'begun' | 'cancelled' | 'refused'> {
  const { user_id: userId } = await readDeletion(id);
  // To avoid deadlocks, organizations are always locked before people, here and wherever an admin office ends.
  await checkLastAdmin(userId);
  // The person's row is locked before their other rows. The platform admins are locked with it, because two of them may
  // be deleted at the same time.
  await rows('SELECT 1 FROM users WHERE id = $1 OR is_platform_admin ORDER BY id FOR NO KEY UPDATE', [userId]);
  const { status, due } = await oneRow<Pick<AccountDeletion, 'status'> & { due: boolean }>(
    'SELECT status, erases_at <= now() AS due FROM account_deletions WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (status === 'cancelled' || status === 'refused') return status;
  if (status !== 'requested') return 'begun';
  if (!due) throw new Error('The time in which this deletion can be undone is not over.');
  const lastAdmin = await checkLastAdmin(userId);
  if (lastAdmin.organization || lastAdmin.platform) {
    await closeDeletion(id, 'refused');
    await enqueueNotice({ userId, kind: 'account_deletion_cancelled' });
    return 'refused';
  }
  await changeRow(AccountDeletion, id, { status: 'erasing' });
  await rows('UPDATE users SET disabled_at = coalesce(disabled_at, now()), is_platform_admin = false WHERE id = $1', [
    userId,
  ]);
  await revokeOtherSessions(userId, null, 'account_deleted');
  await enqueueNotice({ userId, kind: 'account_deleted' });
  return 'begun';
}

export const closeDeletion = (id: string, status: 'erased' | 'refused'): Promise<unknown> =>
  changeRow(AccountDeletion, { id, closed_at: null }, { status, closed_at: now });

/** Reports whether the farewell mail has been sent or abandoned. Only then may its address be erased. */
export async function farewellIsClosed(id: string): Promise<boolean> {
  const { user_id: userId } = await readDeletion(id);
  const openNotice = await firstRow(
    "SELECT 1 FROM account_notices WHERE user_id = $1 AND kind = 'account_deleted' AND closed_at IS NULL LIMIT 1",
    [userId],
  );
  return openNotice === null;
}
