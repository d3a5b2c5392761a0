/** Ends sessions: their access tokens fail with the next request, their refresh tokens with the next refresh. */
import { rows } from '../database/rows.js';
import { lockPerson } from './lockPerson.js';

/** Why a session ended; part of the row. */
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
 * One that has run out opens nothing, but what it registered may hear still: with the others it is ended, too, and not
 * counted.
 */
const countLive = (ended: { live: boolean }[]): number => ended.filter(({ live }) => live).length;

/** SQL: the session acts in the organization $4, or $4 is null and it does not matter. */
const THERE = '($4::uuid IS NULL OR organization_id = $4)';

/**
 * @param organizationId only a session that acts there; null for any
 * @returns whether this person had such a session, and it had not ended
 */
export async function revokeSession(
  userId: string,
  sessionId: string,
  reason: RevocationReason,
  organizationId: string | null = null,
): Promise<boolean> {
  const values = [userId, reason, sessionId, organizationId];
  return (await rows(`${REVOKE} AND id = $3 AND ${LIVE} AND ${THERE} RETURNING id`, values)).length > 0;
}

/**
 * Ends all sessions of a person but one, with the codes that would open more; in an organization also those in which
 * they see it as somebody else, since the admin's own session may act elsewhere meanwhile, and those that act elsewhere
 * come in only with a newer proof (`switchOrganization`). The person is locked, as by whatever begins a session of theirs.
 * @param keptId null ends all
 * @param organizationId only sessions that act there, the open tenant; null for all
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
  if (organizationId !== null) await cutOff(userId, organizationId);
  const values = [userId, reason, keptId, organizationId];
  const ended = await rows<{ live: boolean }>(
    `UPDATE sessions SET revoked_at = now(), revoked_reason = $2
      WHERE revoked_at IS NULL AND id IN (
        SELECT id FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $3 AND revoked_at IS NULL AND ${THERE}
        UNION ALL SELECT session_id FROM impersonations
                   WHERE organization_id = $4 AND actor_id = $1 AND actor_session_id IS DISTINCT FROM $3)
      RETURNING expires_at > now() AS live`,
    values,
  );
  return countLive(ended);
}

/** By the clock of the moment, not of the transaction's beginning: that may have waited for the person. */
const cutOff = (userId: string, organizationId: string): Promise<unknown> =>
  rows(
    `INSERT INTO session_cutoffs AS c (organization_id, user_id, cut_at) VALUES ($2, $1, clock_timestamp())
     ON CONFLICT (organization_id, user_id) DO UPDATE SET cut_at = greatest(c.cut_at, excluded.cut_at)`,
    [userId, organizationId],
  );

/** Ends all sessions that act in an organization, and the codes that would open more. @returns how many ended */
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
 * Ends all sessions that a connection of an identity provider began, but one, and the codes that would open more.
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
