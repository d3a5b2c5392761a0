/** The same session, acting in another organization. */
import { rows } from '../database/rows.js';
import { refuse } from '../errors.js';
import { type AccountOrganization, findOwnOrganization } from './accounts.js';
import type { Actor } from './Actor.js';
import { confinementErrors } from './confinement.js';
import { succeedRefreshToken } from './succeedRefreshToken.js';
import type { SessionTokens } from './tokens.js';

export interface Switched {
  organization: AccountOrganization;
  tokens: SessionTokens;
}

/**
 * Moves a session, whose tokens so far are worth nothing after that, and remembers the organization for the next log-in.
 * @param organization id or slug
 * @throws Refusal session_confined; organization_forbidden for one that does not let this person in, or does not exist;
 *   session_ended
 */
export async function switchOrganization({ userId, sessionId, facts }: Actor, organization: string): Promise<Switched> {
  if (facts.auth.is_confined) throw confinementErrors.session_confined();
  const chosen = await findOwnOrganization(userId, organization);
  if (!chosen) throw refuse.organization_forbidden();
  // The person is locked before their sessions, as everywhere.
  await rows('UPDATE users SET last_organization_id = $2 WHERE id = $1', [userId, chosen.id]);
  return { organization: chosen, tokens: await succeedRefreshToken(sessionId, { organizationId: chosen.id }) };
}
