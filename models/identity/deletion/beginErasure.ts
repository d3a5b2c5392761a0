/** From the wish to be deleted to its beginning: from here on nobody can undo it. */
import { changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { noticePerson } from '../notices/noticePerson.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { AccountDeletion } from './AccountDeletion.js';
import { lastAdminOf } from './lastAdmin.js';

/** @throws RowMissing */
export const deletionOf = async (id: string) => required(await findRow(AccountDeletion, id));

function required<Row>(row: Row | null): Row {
  if (!row) throw new RowMissing('There is no such deletion of an account.');
  return row;
}

/** 0 when it is time, or no longer wanted. @throws RowMissing */
export async function secondsToErasure(id: string): Promise<number> {
  const waiting = await firstRow<{ seconds: number }>(
    `SELECT CASE WHEN status = 'requested' THEN greatest(0, ceil(extract(epoch FROM erases_at - now())))::int ELSE 0 END AS seconds
       FROM account_deletions WHERE id = $1`,
    [id],
  );
  return required(waiting).seconds;
}

/** Closes the account, ends its sessions and says goodbye, once. The wish is dropped when somebody has to stay. */
export async function beginErasure(id: string): Promise<'begun' | 'cancelled' | 'refused'> {
  const { user_id: userId } = await deletionOf(id);
  // Organizations are locked before people, as by whoever ends an office.
  await lastAdminOf(userId);
  // The person is locked before what is theirs, as everywhere; with the platform admins, of whom two may want to go.
  await rows('SELECT 1 FROM users WHERE id = $1 OR is_platform_admin ORDER BY id FOR NO KEY UPDATE', [userId]);
  const { status, due } = await oneRow<Pick<AccountDeletion, 'status'> & { due: boolean }>(
    'SELECT status, erases_at <= now() AS due FROM account_deletions WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (status === 'cancelled' || status === 'refused') return status;
  if (status !== 'requested') return 'begun';
  if (!due) throw new Error('The time in which this deletion can be undone is not over.');
  const needed = await lastAdminOf(userId);
  if (needed.organization || needed.platform) {
    await close(id, 'refused');
    await noticePerson({ userId, kind: 'account_deletion_cancelled' });
    return 'refused';
  }
  await changeRow(AccountDeletion, id, { status: 'erasing' });
  await rows('UPDATE users SET disabled_at = coalesce(disabled_at, now()), is_platform_admin = false WHERE id = $1', [
    userId,
  ]);
  await revokeOtherSessions(userId, null, 'account_deleted');
  await noticePerson({ userId, kind: 'account_deleted' });
  return 'begun';
}

export const close = (id: string, status: 'erased' | 'refused'): Promise<unknown> =>
  changeRow(AccountDeletion, { id, closed_at: null }, { status, closed_at: now });

/** Whether the mail that says goodbye needs the address no more. */
export async function farewellIsClosed(id: string): Promise<boolean> {
  const { user_id: userId } = await deletionOf(id);
  const open = await firstRow(
    "SELECT 1 FROM account_notices WHERE user_id = $1 AND kind = 'account_deleted' AND closed_at IS NULL LIMIT 1",
    [userId],
  );
  return open === null;
}
