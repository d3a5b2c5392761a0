/** Replaces a placeholder by the account that accepts. */
import { reassignAuditValues } from '../../database/audit.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { enqueueNotice } from '../../identity/notices/enqueueNotice.js';
import { recordSecurityEvent } from '../../identity/securityEvents.js';
import { reassignNotifications } from '../../notifications/reassignNotifications.js';
import { erasePlaceholderUnlessNeeded } from './placeholders.js';

/**
 * Gives the account all memberships and offices that were offered to the placeholder, not only those of the accepted
 * invitation: a person with an account in the organization accepts nothing more. Offices whose invitation has expired
 * stay inactive. If the account already has a membership in a chapter, the placeholder's membership there stays with
 * the placeholder, along with its invoices.
 * @param placeholderId locked by `lockPlaceholder`
 * @returns the ids of the invitations that this acceptance accepts
 */
export async function replacePlaceholder(placeholderId: string, accountId: string): Promise<string[]> {
  await rows(
    `UPDATE memberships m SET user_id = $3 WHERE organization_id = $1 AND user_id = $2 AND NOT EXISTS (
       SELECT FROM memberships own WHERE own.organization_id = $1 AND own.user_id = $3 AND own.chapter_id = m.chapter_id)`,
    [currentOrganization(), placeholderId, accountId],
  );
  await takeOverOffices('organization_admins', 'organization_admin_id', placeholderId, accountId);
  await takeOverOffices('regional_admins', 'regional_admin_id', placeholderId, accountId);
  const accepted = await rows<{ id: string }>(
    `UPDATE invitations i SET token_hash = NULL, closed_at = now(),
            state = CASE WHEN membership_id IS NULL AND expires_at <= now() THEN 'withdrawn' ELSE 'accepted' END
      WHERE organization_id = $1 AND user_id = $2 AND state = 'open' AND NOT EXISTS (
        SELECT FROM memberships m WHERE m.organization_id = $1 AND m.id = i.membership_id AND m.user_id = $2)
      RETURNING id`,
    [currentOrganization(), placeholderId],
  );
  await recordCreatedAccount(accountId);
  await reassignNotifications(placeholderId, accountId);
  await reassignAuditValues(placeholderId, accountId);
  await erasePlaceholderUnlessNeeded(placeholderId);
  await notifyAcceptance(placeholderId, accountId, accepted.length);
  return accepted.map(({ id }) => id);
}

/** Records the new account in the account request that led to this invitation when it was approved. */
const recordCreatedAccount = (accountId: string): Promise<unknown> =>
  rows(
    `UPDATE account_requests r SET created_user_id = u.id FROM users u, memberships m
      WHERE u.id = $2 AND u.created_at = now() AND m.organization_id = $1 AND m.user_id = u.id
        AND r.organization_id = $1 AND r.created_membership_id = m.id AND r.created_user_id IS NULL`,
    [currentOrganization(), accountId],
  );

/**
 * Gives the placeholder's offices to the account. If the account has the office already, it is reactivated, and the
 * placeholder's row is deleted.
 */
async function takeOverOffices(
  table: string,
  subject: string,
  placeholderId: string,
  accountId: string,
): Promise<void> {
  const same = table === 'regional_admins' ? 'AND own.region_id = a.region_id' : '';
  const offices = await rows<{ id: string; own: string | null; holds: boolean }>(
    `SELECT a.id, own.id AS own, coalesce(i.state = 'open' AND i.expires_at > now(), false) AS holds FROM ${table} a
       LEFT JOIN ${table} own ON own.organization_id = $1 AND own.user_id = $3 ${same}
       LEFT JOIN invitations i ON i.organization_id = $1 AND i.${subject} = a.id
      WHERE a.organization_id = $1 AND a.user_id = $2 ORDER BY a.id`,
    [currentOrganization(), placeholderId, accountId],
  );
  for (const { id, own, holds } of offices) {
    if (own === null) {
      await rows(`UPDATE ${table} SET user_id = $2, is_active = $3 WHERE id = $1`, [id, accountId, holds]);
      continue;
    }
    await rows(`DELETE FROM ${table} WHERE id = $1`, [id]);
    if (holds) await rows(`UPDATE ${table} SET is_active = true WHERE id = $1 AND NOT is_active`, [own]);
  }
}

async function notifyAcceptance(placeholderId: string, userId: string, count: number): Promise<void> {
  const { name } = await oneRow<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    currentOrganization(),
  ]);
  await recordSecurityEvent({
    userId,
    kind: 'invitation.accepted',
    details: { invitations: count },
    auditDetails: { placeholder: placeholderId },
  });
  await enqueueNotice({ userId, kind: 'invitation_accepted', facts: { organization: name } });
}
