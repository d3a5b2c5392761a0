/** Begins an impersonation: an organization's admin sees what one of its members sees (spec: Impersonation). */
import { randomUUID } from 'node:crypto';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { REFRESH_TOKEN_SECONDS, type SessionTokens, signSessionTokens } from '../tokens.js';
import { impersonationErrors } from './errors.js';
import { IMPERSONATION_SECONDS, RESTORE_TOKEN_SECONDS, signRestoreToken } from './restoreToken.js';
import { identityErrors } from '../errors.js';

export interface Impersonator {
  userId: string;
  sessionId: string;
  client: 'web' | 'native';
}

export interface StartedImpersonation {
  membershipId: string;
  userId: string;
  organizationId: string;
  endsAt: Date;
  tokens: SessionTokens;
  restoreToken: string;
}

/**
 * Opens a read-only session of the member for the admin, in the open tenant. The admin's own session continues in the
 * background. The member is notified by mail unless the organization has switched that off.
 * @param reason recorded in the audit log
 * @throws Refusal forbidden for an actor who is no admin of the organization, not_found, invitation_open,
 * not_impersonable
 */
export async function beginImpersonation(
  actor: Impersonator,
  membershipId: string,
  reason: string,
): Promise<StartedImpersonation> {
  const userId = await findTarget(actor.userId, membershipId);
  const organizationId = currentOrganization();
  const id = randomUUID();
  const started = await insertSession(id, actor, { membershipId, userId, organizationId });
  const endsAt = new Date(started.deadline * 1000);
  await recordSecurityEvent({
    userId,
    kind: 'impersonation.started',
    sessionId: started.session_id,
    details: { by: actor.userId, ends_at: endsAt.toISOString() },
    auditDetails: { reason, membership: membershipId },
  });
  if (started.notifies) {
    await enqueueNotice({ userId, kind: 'impersonated', facts: { organization: started.organization } });
  }
  const tokens = signSessionTokens({
    userId,
    organizationId,
    sessionId: started.session_id,
    refreshTokenId: started.refresh_token_id,
    impersonation: { imp_by: actor.userId, imp_org: organizationId, imp_exp: started.deadline, imp_sid: id },
  });
  const restore = { actorId: actor.userId, actorSessionId: actor.sessionId, impersonationId: id };
  const restoreToken = signRestoreToken(restore, started.actor_organization_id);
  return { membershipId, userId, organizationId, endsAt, tokens, restoreToken };
}

/**
 * Finds the member and checks that the admin may impersonate them.
 * @returns the member's user id
 */
async function findTarget(actorId: string, membershipId: string): Promise<string> {
  const target = await firstRow<{ may: boolean; user_id: string | null; invited: boolean; impersonable: boolean }>(
    `SELECT app.may_impersonate($1) AS may, m.user_id,
            EXISTS (SELECT FROM users u WHERE u.id = m.user_id AND u.placeholder_in IS NOT NULL) AS invited,
            EXISTS (SELECT FROM app.impersonable(m.user_id, m.status, $1)) AS impersonable
       FROM (SELECT) one LEFT JOIN memberships m ON m.organization_id = $2 AND m.id = $3`,
    [actorId, currentOrganization(), membershipId],
  );
  if (!target?.may) throw refuse.forbidden();
  if (target.user_id === null) throw refuse.not_found('There is no such membership.');
  if (target.invited) throw identityErrors.invitation_open();
  if (!target.impersonable) throw impersonationErrors.not_impersonable();
  return target.user_id;
}

interface InsertedSession {
  session_id: string;
  refresh_token_id: string;
  /** Time at which the impersonation must end, in Unix seconds. */
  deadline: number;
  actor_organization_id: string | null;
  organization: string;
  notifies: boolean;
}

type Target = { membershipId: string; userId: string; organizationId: string };

/**
 * Inserts the session, its refresh token and the impersonation. The session is confined to the organization and has no
 * authentication time, because the member did not authenticate. The admin's own session is extended to the lifetime of
 * the restore token, but not beyond the limit of its identity provider (sessions_bound_by_provider). If that limit
 * comes first, the impersonation ends then as well.
 */
const insertSession = (
  id: string,
  actor: Impersonator,
  { membershipId, userId, organizationId }: Target,
): Promise<InsertedSession> =>
  oneRow<InsertedSession>(
    `WITH own AS (
       UPDATE sessions SET last_seen_at = now(), expires_at = greatest(expires_at, now() + $9::int * interval '1 second')
        WHERE id = $6 RETURNING organization_id, expires_at),
     deadline AS (
       SELECT floor(extract(epoch FROM least(now() + $7::int * interval '1 second', own.expires_at)))::bigint AS epoch
         FROM own),
     session AS (
       INSERT INTO sessions (user_id, organization_id, client, expires_at, auth_time, confined, impersonation_id)
       VALUES ($2, $3, $5, now() + $8::int * interval '1 second', to_timestamp(0), true, $1) RETURNING id, expires_at),
     token AS (
       INSERT INTO refresh_tokens (session_id, expires_at) SELECT id, expires_at FROM session RETURNING id),
     impersonation AS (
       INSERT INTO impersonations (id, organization_id, membership_id, user_id, actor_id, actor_session_id, session_id, ends_at)
       SELECT $1, $3, $4, $2, $10, $6, session.id, to_timestamp(deadline.epoch) FROM session, deadline RETURNING ends_at)
     SELECT session.id AS session_id, token.id AS refresh_token_id, deadline.epoch::float8 AS deadline,
            own.organization_id AS actor_organization_id, o.name AS organization, o.impersonation_notices AS notifies
       FROM session, token, deadline, own, impersonation, organizations o WHERE o.id = $3`,
    [
      id,
      userId,
      organizationId,
      membershipId,
      actor.client,
      actor.sessionId,
      IMPERSONATION_SECONDS,
      REFRESH_TOKEN_SECONDS,
      RESTORE_TOKEN_SECONDS,
      actor.userId,
    ],
  );
