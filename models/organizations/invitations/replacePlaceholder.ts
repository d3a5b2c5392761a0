/** The account takes the place of the placeholder that was kept for it. */
import { handOverInLog } from '../../database/audit.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { noticePerson } from '../../identity/notices/noticePerson.js';
import { recordSecurityEvent } from '../../identity/securityEvents.js';
import { handOverNotifications } from '../../notifications/handOver.js';
import { forgetUnlessNeeded } from './placeholders.js';

/**
 * Whoever accepts is known here from now on, and for people known here whatever is offered holds at once: so everything
 * that waits for this placeholder becomes the account's; only offices whose invitation has expired stay inactive. What
 * cannot become it, a second membership in one chapter, goes on waiting with its invoices.
 * @param placeholderId locked by `lockPlaceholder`
 * @returns the ids of the invitations that are accepted by it
 */
export async function replacePlaceholder(placeholderId: string, accountId: string): Promise<string[]> {
  await rows(
    `UPDATE memberships m SET user_id = $3 WHERE organization_id = $1 AND user_id = $2 AND NOT EXISTS (
       SELECT FROM memberships own WHERE own.organization_id = $1 AND own.user_id = $3 AND own.chapter_id = m.chapter_id)`,
    [currentOrganization(), placeholderId, accountId],
  );
  await takeOffices('organization_admins', 'organization_admin_id', placeholderId, accountId);
  await takeOffices('regional_admins', 'regional_admin_id', placeholderId, accountId);
  const accepted = await rows<{ id: string }>(
    `UPDATE invitations i SET token_hash = NULL, closed_at = now(),
            state = CASE WHEN membership_id IS NULL AND expires_at <= now() THEN 'withdrawn' ELSE 'accepted' END
      WHERE organization_id = $1 AND user_id = $2 AND state = 'open' AND NOT EXISTS (
        SELECT FROM memberships m WHERE m.organization_id = $1 AND m.id = i.membership_id AND m.user_id = $2)
      RETURNING id`,
    [currentOrganization(), placeholderId],
  );
  await noteAccount(accountId);
  await handOverNotifications(placeholderId, accountId);
  await handOverInLog(placeholderId, accountId);
  await forgetUnlessNeeded(placeholderId);
  await tell(placeholderId, accountId, accepted.length);
  return accepted.map(({ id }) => id);
}

/** Whoever asked for an account has one, if it was made by this acceptance: the request says so. */
const noteAccount = (accountId: string): Promise<unknown> =>
  rows(
    `UPDATE account_requests r SET created_user_id = u.id FROM users u, memberships m
      WHERE u.id = $2 AND u.created_at = now() AND m.organization_id = $1 AND m.user_id = u.id
        AND r.organization_id = $1 AND r.created_membership_id = m.id AND r.created_user_id IS NULL`,
    [currentOrganization(), accountId],
  );

/** An office that the account has already is revived by the invitation, whose own row goes. */
async function takeOffices(table: string, subject: string, placeholderId: string, accountId: string): Promise<void> {
  const same = table === 'regional_admins' ? 'AND own.region_id = a.region_id' : '';
  const waiting = await rows<{ id: string; own: string | null; holds: boolean }>(
    `SELECT a.id, own.id AS own, coalesce(i.state = 'open' AND i.expires_at > now(), false) AS holds FROM ${table} a
       LEFT JOIN ${table} own ON own.organization_id = $1 AND own.user_id = $3 ${same}
       LEFT JOIN invitations i ON i.organization_id = $1 AND i.${subject} = a.id
      WHERE a.organization_id = $1 AND a.user_id = $2 ORDER BY a.id`,
    [currentOrganization(), placeholderId, accountId],
  );
  for (const { id, own, holds } of waiting) {
    if (own === null) {
      await rows(`UPDATE ${table} SET user_id = $2, is_active = $3 WHERE id = $1`, [id, accountId, holds]);
      continue;
    }
    await rows(`DELETE FROM ${table} WHERE id = $1`, [id]);
    if (holds) await rows(`UPDATE ${table} SET is_active = true WHERE id = $1 AND NOT is_active`, [own]);
  }
}

async function tell(placeholderId: string, userId: string, count: number): Promise<void> {
  const { name } = await oneRow<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    currentOrganization(),
  ]);
  await recordSecurityEvent({
    userId,
    kind: 'invitation.accepted',
    details: { invitations: count },
    auditDetails: { placeholder: placeholderId },
  });
  await noticePerson({ userId, kind: 'invitation_accepted', facts: { organization: name } });
}
