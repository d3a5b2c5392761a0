/** The same session, acting in another organization. */
import { changeRow } from '../database/model/change.js';
import { firstRow } from '../database/rows.js';
import { refuse } from '../errors.js';
import { type AccountOrganization, findOwnOrganization } from './accounts.js';
import type { Actor } from './Actor.js';
import { confinementErrors } from './confinement.js';
import { identityErrors } from './errors.js';
import { succeedRefreshToken } from './succeedRefreshToken.js';
import type { SessionTokens } from './tokens.js';
import { User } from './User.js';

export interface Switched {
  organization: AccountOrganization;
  tokens: SessionTokens;
}

/**
 * Moves a session, whose tokens so far are worth nothing after that, and remembers the organization for the next log-in.
 * @param organization id or slug
 * @throws Refusal session_confined; organization_forbidden for one that does not let this person in, or does not exist;
 *   sessions_ended_there for a session whose proof is older than the end of the person's sessions there; session_ended
 */
export async function switchOrganization({ userId, sessionId, facts }: Actor, organization: string): Promise<Switched> {
  if (facts.auth.is_confined) throw confinementErrors.session_confined();
  const chosen = await findOwnOrganization(userId, organization);
  if (!chosen) throw refuse.organization_forbidden();
  // The person is locked before their sessions, as everywhere.
  await changeRow(User, userId, { last_organization_id: chosen.id });
  if (await isCutOff(sessionId, chosen.id)) throw identityErrors.sessions_ended_there();
  return { organization: chosen, tokens: await succeedRefreshToken(sessionId, { organizationId: chosen.id }) };
}

/** Whether the person's sessions there were ended since the session was last proven: whoever holds it may be another. */
const isCutOff = async (sessionId: string, organizationId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM sessions s JOIN session_cutoffs c ON c.user_id = s.user_id AND c.organization_id = $2
      WHERE s.id = $1 AND s.auth_time <= c.cut_at`,
    [sessionId, organizationId],
  )) !== null;
