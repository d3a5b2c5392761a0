/** Revokes sessions: their access tokens are refused at the next request, their refresh tokens at the next refresh. */
import { rows } from '../database/rows.js';
import { lockPerson } from './lockPerson.js';

/** The reason why a session ended, stored in its row. */
export type RevocationReason =
  | 'logged_out'
  | 'revoked'
  | 'password_changed'
  | 'password_reset'
  | 'refresh_token_reused'
  | 'impersonation_ended'
  | 'revoked_by_admin'
  | 'organization_suspended'
  | 'provider_switched_off'
  | 'password_withdrawn'
  | 'address_unlinked'
  | 'account_disabled'
  | 'account_deleted';

const REVOKE = 'UPDATE sessions SET revoked_at = now(), revoked_reason = $2 WHERE user_id = $1';
const LIVE = 'revoked_at IS NULL AND expires_at > now()';

/**
 * Counts the revoked sessions that had not expired. Expired sessions are revoked as well, because push tokens that they
 * registered may still receive messages, but they are not counted.
 */
const countLive = (sessions: { live: boolean }[]): number => sessions.filter(({ live }) => live).length;

/** SQL condition: the session acts in organization $4. If $4 is null, sessions of every organization match. */
const IN_ORGANIZATION = '($4::uuid IS NULL OR organization_id = $4)';

/**
 * Revokes one session of a person.
 * @param organizationId revokes the session only if it acts in this organization; null for any
 * @returns true if this call ended the session; false if the person has no such session or it had already ended
 */
export async function revokeSession(
  userId: string,
  sessionId: string,
  reason: RevocationReason,
  organizationId: string | null = null,
): Promise<boolean> {
  const values = [userId, reason, sessionId, organizationId];
  return (await rows(`${REVOKE} AND id = $3 AND ${LIVE} AND ${IN_ORGANIZATION} RETURNING id`, values)).length > 0;
}

/**
 * Revokes all sessions of a person but one, and deletes sign-in codes that would open new sessions. With an
 * organization, also revokes sessions in which this person, as an admin, impersonates members of it, even if the
 * admin's own session acts in another organization now. The person's sessions in other organizations can switch to this
 * one only after a new authentication (`switchOrganization`). Locks the person, as all code that begins a session does.
 * @param keptId the session that stays; null revokes all
 * @param organizationId revokes only sessions that act in this organization, the current tenant; null for all
 * @returns how many ended
 */
export async function revokeOtherSessions(
  userId: string,
  keptId: string | null,
  reason: RevocationReason,
  organizationId: string | null = null,
): Promise<number> {
  await lockPerson(userId);
  await rows(
    `DELETE FROM sso_codes WHERE user_id = $1 AND ($2::uuid IS NULL
        OR connection_id IN (SELECT id FROM sso_connections WHERE organization_id = $2))`,
    [userId, organizationId],
  );
  if (organizationId !== null) await recordCutoff(userId, organizationId);
  const values = [userId, reason, keptId, organizationId];
  const ended = await rows<{ live: boolean }>(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = $2
      WHERE revoked_at IS NULL AND id IN (
        SELECT id FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $3 AND revoked_at IS NULL AND ${IN_ORGANIZATION}
        UNION ALL SELECT session_id FROM impersonations
                   WHERE organization_id = $4 AND actor_id = $1 AND actor_session_id IS DISTINCT FROM $3)
      RETURNING expires_at > now() AS live`,
    values,
  );
  return countLive(ended);
}

/**
 * Stores the current time as the cutoff: a session that was authenticated earlier cannot switch to the organization.
 * The transaction's start would be too early, because the transaction may have waited for the lock on the person.
 */
const recordCutoff = (userId: string, organizationId: string): Promise<unknown> =>
  rows(
    `INSERT INTO session_cutoffs AS c (organization_id, user_id, cut_at) VALUES ($2, $1, clock_timestamp())
     ON CONFLICT (organization_id, user_id) DO UPDATE SET cut_at = greatest(c.cut_at, excluded.cut_at)`,
    [userId, organizationId],
  );

/**
 * Revokes all sessions that act in an organization, and deletes sign-in codes that would open new ones.
 * @returns how many ended
 */
export async function revokeSessionsIn(organizationId: string, reason: RevocationReason): Promise<number> {
  await rows(
    'DELETE FROM sso_codes WHERE connection_id IN (SELECT id FROM sso_connections WHERE organization_id = $1)',
    [organizationId],
  );
  const ended = await rows(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = $2 WHERE organization_id = $1 AND ${LIVE} RETURNING id`,
    [organizationId, reason],
  );
  return ended.length;
}

/**
 * Revokes all sessions, except one, that began through this connection to an identity provider, and deletes sign-in
 * codes that would open new ones.
 * @returns how many ended
 */
export async function revokeSessionsBy(
  connectionId: string,
  keptId: string | null,
  reason: RevocationReason,
): Promise<number> {
  await rows('DELETE FROM sso_codes WHERE connection_id = $1', [connectionId]);
  const ended = await rows<{ live: boolean }>(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = $2
      WHERE connection_id = $1 AND id IS DISTINCT FROM $3 AND revoked_at IS NULL RETURNING expires_at > now() AS live`,
    [connectionId, reason, keptId],
  );
  return countLive(ended);
}
