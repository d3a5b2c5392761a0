/** Moves a session to another organization. */
import { changeRow } from '../database/model/change.js';
import { firstRow } from '../database/rows.js';
import { refuse } from '../errors.js';
import { type AccountOrganization, findOwnOrganization } from './accounts.js';
import type { Actor } from './Actor.js';
import { confinementErrors } from './confinement.js';
import { identityErrors } from './errors.js';
import { replaceRefreshToken } from './replaceRefreshToken.js';
import type { SessionTokens } from './tokens.js';
import { User } from './User.js';

export interface SwitchResult {
  organization: AccountOrganization;
  tokens: SessionTokens;
}

/**
 * Moves a session to another organization, and stores that organization as default for the next log-in. The session's
 * previous tokens become invalid.
 * @param organization id or slug
 * @throws Refusal session_confined; organization_forbidden for an organization that does not exist or that this person
 * may not sign in to; sessions_ended_there when the person's sessions in that organization were ended after this
 * session's last authentication; session_ended
 */
export async function switchOrganization(
  { userId, sessionId, facts }: Actor,
  organization: string,
): Promise<SwitchResult> {
  if (facts.auth.is_confined) throw confinementErrors.session_confined();
  const target = await findOwnOrganization(userId, organization);
  if (!target) throw refuse.organization_forbidden();
  // Comes first, because a person's row is always locked before their sessions.
  await changeRow(User, userId, { last_organization_id: target.id });
  if (await isCutOff(sessionId, target.id)) throw identityErrors.sessions_ended_there();
  return { organization: target, tokens: await replaceRefreshToken(sessionId, { organizationId: target.id }) };
}

/**
 * Reports whether the person's sessions in that organization were ended after this session's last authentication. Then
 * another person may be using this session.
 */
const isCutOff = async (sessionId: string, organizationId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM sessions s JOIN session_cutoffs c ON c.user_id = s.user_id AND c.organization_id = $2
      WHERE s.id = $1 AND s.auth_time <= c.cut_at`,
    [sessionId, organizationId],
  )) !== null;
