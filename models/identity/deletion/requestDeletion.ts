/** Requests the deletion of a person's own account, and cancels the request. */
import { deleteAccount } from '../../../workflows/contracts/index.js';
import { UNDO } from '../../../workflows/contracts/deleteAccount.js';
import { enqueue } from '../../database/outbox.js';
import { changeRow, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { AccountDeletion } from './AccountDeletion.js';
import { deletionErrors } from './errors.js';
import { checkLastAdmin } from './lastAdmin.js';
import { identityErrors } from '../errors.js';
import { type InSession, requireSession } from '../requireSession.js';

/** Days in which the person can cancel the deletion. */
const CANCELLATION_DAYS = 7;

/**
 * Stores the request and starts the workflow that erases the account after the cancellation period.
 * @returns the time at which the account will be erased, as ISO text
 * @throws Refusal session_ended, last_admin, deletion_requested
 */
export async function requestDeletion({ userId, sessionId }: InSession): Promise<string> {
  // Must come first, because it locks organizations: to avoid deadlocks, they are always locked before people.
  await requireAnotherAdmin(userId);
  await requireSession(userId, sessionId);
  const deletion = await firstRow<{ id: string; erases_at: Date }>(
    `INSERT INTO account_deletions (user_id, erases_at) VALUES ($1, now() + $2 * interval '1 day')
     ON CONFLICT (user_id) WHERE status IN ('requested', 'erasing', 'erased') DO NOTHING RETURNING id, erases_at`,
    [userId, CANCELLATION_DAYS],
  );
  if (!deletion) throw deletionErrors.deletion_requested();
  const erasesAt = deletion.erases_at.toISOString();
  await recordSecurityEvent({ userId, kind: 'account.deletion_requested', details: { erases_at: erasesAt } });
  await enqueueNotice({ userId, kind: 'account_deletion_requested', facts: { until: erasesAt } });
  await enqueue(deleteAccount, { deletionId: deletion.id });
  return erasesAt;
}

async function requireAnotherAdmin(userId: string): Promise<void> {
  const { organization, platform } = await checkLastAdmin(userId);
  if (organization)
    throw identityErrors.last_admin('You are the only admin of an organization. Appoint another admin first.');
  if (platform)
    throw identityErrors.last_admin('You are the only platform admin. Appoint another platform admin first.');
}

/**
 * Cancels the deletion request.
 * @throws Refusal not_found if none is open or the erasure has begun
 */
export async function cancelDeletion(userId: string): Promise<void> {
  const openRequest = { user_id: userId, status: 'requested' } as const;
  const { id } = requireFound(await changeRow(AccountDeletion, openRequest, { status: 'cancelled', closed_at: now }));
  await recordSecurityEvent({ userId, kind: 'account.deletion_cancelled' });
  await enqueueNotice({ userId, kind: 'account_deletion_cancelled' });
  await enqueue(deleteAccount, { deletionId: id }, { signal: UNDO });
}

/**
 * Returns the time at which the account will be erased, as ISO text.
 * @throws Refusal not_found when no deletion is requested
 */
export async function readErasureTime(userId: string): Promise<string> {
  const { erases_at } = await loadRow(AccountDeletion, { user_id: userId, status: 'requested' });
  return erases_at.toISOString();
}
