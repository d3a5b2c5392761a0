/** A person asks for the deletion of their account, and may take that back. */
import { deleteAccount } from '../../../workflows/contracts/index.js';
import { UNDO } from '../../../workflows/contracts/deleteAccount.js';
import { enqueue } from '../../database/outbox.js';
import { changeRow, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { found } from '../../errors.js';
import { noticePerson } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { AccountDeletion } from './AccountDeletion.js';
import { deletionErrors } from './errors.js';
import { lastAdminOf } from './lastAdmin.js';
import { identityErrors } from '../errors.js';
import { type InSession, requireSession } from '../requireSession.js';

/** How long it can be undone. */
const DAYS_TO_UNDO = 7;

/**
 * Writes the wish down and starts the process that waits.
 * @returns when the account is erased, as ISO text
 * @throws Refusal session_ended, last_admin, deletion_requested
 */
export async function requestDeletion({ userId, sessionId }: InSession): Promise<string> {
  // It locks organizations, which are locked before people.
  await requireAnotherAdmin(userId);
  await requireSession(userId, sessionId);
  const written = await firstRow<{ id: string; erases_at: Date }>(
    `INSERT INTO account_deletions (user_id, erases_at) VALUES ($1, now() + $2 * interval '1 day')
     ON CONFLICT (user_id) WHERE status IN ('requested', 'erasing', 'erased') DO NOTHING RETURNING id, erases_at`,
    [userId, DAYS_TO_UNDO],
  );
  if (!written) throw deletionErrors.deletion_requested();
  const erasesAt = written.erases_at.toISOString();
  await recordSecurityEvent({ userId, kind: 'account.deletion_requested', details: { erases_at: erasesAt } });
  await noticePerson({ userId, kind: 'account_deletion_requested', facts: { until: erasesAt } });
  await enqueue(deleteAccount, { deletionId: written.id });
  return erasesAt;
}

async function requireAnotherAdmin(userId: string): Promise<void> {
  const { organization, platform } = await lastAdminOf(userId);
  if (organization)
    throw identityErrors.last_admin('You are the only admin of an organization. Appoint another first.');
  if (platform) throw identityErrors.last_admin('You are the only platform admin. Appoint another first.');
}

/** Takes the wish back. @throws Refusal not_found when there is none, or the erasure has begun */
export async function undoDeletion(userId: string): Promise<void> {
  const wish = { user_id: userId, status: 'requested' } as const;
  const { id } = found(await changeRow(AccountDeletion, wish, { status: 'cancelled', closed_at: now }));
  await recordSecurityEvent({ userId, kind: 'account.deletion_cancelled' });
  await noticePerson({ userId, kind: 'account_deletion_cancelled' });
  await enqueue(deleteAccount, { deletionId: id }, { signal: UNDO });
}

/** When the account is erased, as ISO text. @throws Refusal not_found when nobody asked for it */
export async function erasureOf(userId: string): Promise<string> {
  const { erases_at } = await loadRow(AccountDeletion, { user_id: userId, status: 'requested' });
  return erases_at.toISOString();
}
