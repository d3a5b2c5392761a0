/**
 * Lists and revokes sessions of members for the admins of their organization: only sessions that act in this
 * organization.
 */
import { currentOrganization, firstRow } from '../../database/rows.js';
import type { Page, PageRequest } from '../../database/page.js';
import { refuse } from '../../errors.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { listSessions, type SessionRow } from '../../identity/listSessions.js';
import { revokeOtherSessions, revokeSession } from '../../identity/revokeSessions.js';
import { recordSecurityEvent } from '../../identity/securityEvents.js';
import { identityErrors } from '../../identity/errors.js';

/**
 * Lists a member's sessions in this organization.
 * @throws Refusal not_found for a person without a membership in the tenant, invitation_open; page_not_found
 */
export async function listMemberSessions(userId: string, page: PageRequest): Promise<Page<SessionRow>> {
  await requireMember(userId);
  return listSessions({ userId, organizationId: currentOrganization(), ...page });
}

/**
 * Revokes one session of a member in this organization.
 * @throws Refusal not_found, also for a session that acts in another organization; invitation_open
 */
export async function revokeMemberSession(userId: string, sessionId: string): Promise<void> {
  await requireMember(userId);
  const ended = await revokeSession(userId, sessionId, 'revoked_by_admin', currentOrganization());
  if (!ended) throw refuse.not_found();
  await recordSecurityEvent({ userId, kind: 'session.revoked', sessionId, details: { by: 'admin' } });
}

/**
 * Revokes all sessions of a member in this organization.
 * @returns the number of revoked sessions
 * @throws Refusal not_found, invitation_open
 */
export async function revokeMemberSessions(userId: string): Promise<number> {
  await requireMember(userId);
  const count = await revokeOtherSessions(userId, null, 'revoked_by_admin', currentOrganization());
  if (count > 0) await recordSecurityEvent({ userId, kind: 'sessions.revoked', details: { by: 'admin', count } });
  return count;
}

async function requireMember(userId: string): Promise<void> {
  const member = await firstRow('SELECT 1 FROM memberships WHERE organization_id = $1 AND user_id = $2 LIMIT 1', [
    currentOrganization(),
    userId,
  ]);
  if (!member) throw refuse.not_found();
  if (await isPlaceholder(userId)) throw identityErrors.invitation_open();
}
