/** Revokes sessions: access tokens fail at the next request, refresh tokens at the next refresh. */
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
 * Counts the sessions that had not expired. Expired ones are revoked, too, because push tokens that they registered may
 * still receive messages, but they are not counted.
 */
const countLive = (sessions: { live: boolean }[]): number => sessions.filter(({ live }) => live).length;

/** SQL condition: the session acts in organization $4, or $4 is null and any organization matches. */
const IN_ORGANIZATION = '($4::uuid IS NULL OR organization_id = $4)';

/**
 * Revokes one session of a person.
 * @param organizationId only a session that acts in it; null for any
 * @returns whether the person had such a session and it had not ended
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
 * Revokes all sessions of a person but one, and deletes the sign-in codes that would open more. In an organization it
 * also revokes the sessions in which the person impersonates its members, because the admin's own session may act
 * elsewhere meanwhile. Sessions that act elsewhere can switch to the organization only with a newer proof
 * (`switchOrganization`). Locks the person, as everything that begins a session does.
 * @param keptId null revokes all
 * @param organizationId only sessions that act in it (the open tenant); null for all
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
 * Stores the cutoff. Uses the current time, not the transaction's start, because the transaction may have waited for
 * the lock on the person.
 */
const recordCutoff = (userId: string, organizationId: string): Promise<unknown> =>
  rows(
    `INSERT INTO session_cutoffs AS c (organization_id, user_id, cut_at) VALUES ($2, $1, clock_timestamp())
     ON CONFLICT (organization_id, user_id) DO UPDATE SET cut_at = greatest(c.cut_at, excluded.cut_at)`,
    [userId, organizationId],
  );

/**
 * Revokes all sessions that act in an organization, and deletes the sign-in codes that would open more.
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
 * Revokes all sessions, but one, that a connection of an identity provider began, and deletes the codes that would open
 * more.
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
