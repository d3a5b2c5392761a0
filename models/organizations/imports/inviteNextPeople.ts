/** Invites or notifies the people whom an import added, once an admin asks for it. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { sendInvitation } from '../invitations/sendInvitation.js';
import { notifyAddedPerson } from '../invitations/notifyAddedPerson.js';
import type { BulkImport } from './BulkImport.js';
import { lockStep, lockNextLines } from './lines.js';
import { stopWithoutRight } from './steps.js';

/** People in one batch; each of them gets a mail. */
const BATCH_SIZE = 50;

/**
 * SQL of created lines whose person has not been notified. Lines of inactive chapters are skipped until the chapter is
 * active and an admin asks again.
 */
const NOT_NOTIFIED = `result = 'created' AND invited_at IS NULL AND EXISTS (SELECT FROM chapters c
  WHERE c.organization_id = bulk_import_rows.organization_id AND c.id = bulk_import_rows.chapter_id AND c.status = 'active')`;

/**
 * Notifies the next people in one transaction, each once: by an invitation mail, or by a notification if they already
 * have an account here. Safe to run again.
 * @returns whether there may be more
 */
export async function inviteNextPeople(importId: string): Promise<boolean> {
  const lockedImport = await lockStep<BulkImport>(importId, 'send_invitations');
  if (!lockedImport) return false;
  const batch = await lockNextLines(importId, NOT_NOTIFIED, [], BATCH_SIZE);
  if (batch.length === 0 || (await stopWithoutRight(lockedImport))) return false;
  for (const { id } of batch) await invite(id);
  await rows('UPDATE bulk_import_rows SET invited_at = now() WHERE organization_id = $1 AND id = ANY ($2)', [
    currentOrganization(),
    batch.map(({ id }) => id),
  ]);
  return batch.length === BATCH_SIZE;
}

async function invite(lineId: string): Promise<void> {
  // The lock on the person's row waits if the person is accepting the invitation at this moment. Members whose
  // membership has ended are not invited.
  const member = await firstRow<{
    membership: string;
    chapter: string;
    person: string;
    waits: boolean;
    open: boolean;
    asked: boolean;
  }>(
    `SELECT m.id AS membership, m.chapter_id AS chapter, u.id AS person, u.placeholder_in IS NOT NULL AS waits,
            coalesce(i.state = 'open', false) AS open, i.id IS NOT NULL AS asked
       FROM bulk_import_rows r
       JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id AND m.status NOT IN ('inactive', 'disaffiliated')
       JOIN users u ON u.id = m.user_id
       LEFT JOIN invitations i ON i.organization_id = $1 AND i.membership_id = m.id
      WHERE r.organization_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF m, u`,
    [currentOrganization(), lineId],
  );
  if (!member) return;
  if (member.waits && member.open) await sendInvitation('membership_id', member.membership, member.person);
  if (!member.waits && !member.asked)
    await notifyAddedPerson(member.person, 'membership_added', member.membership, { chapterId: member.chapter });
}
