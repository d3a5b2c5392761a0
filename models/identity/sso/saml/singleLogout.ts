/**
 * SAML single logout. Ends the sessions that the identity provider names, and finds the name that the provider uses for
 * one of our sessions. Call it inside `inTenant`.
 */
import { firstRow } from '../../../database/rows.js';
import { endProviderSessions } from '../endProviderSessions.js';
import type { ProviderName } from '../provenIdentity.js';

/** A session with the names that its SAML provider uses for it. */
export interface NamedSession extends ProviderName {
  configurationId: string;
  /** The provider's SessionIndex; null if it sent none. */
  index: string | null;
}

/**
 * Finds the names that the SAML provider uses for a session.
 * @returns null if the session did not begin through SAML
 */
export const findNamedSession = (sessionId: string): Promise<NamedSession | null> =>
  firstRow<NamedSession>(
    `SELECT c.id AS "configurationId", s.provider_name_id AS "nameId",
            s.provider_name_attributes AS attributes, s.provider_session AS index
       FROM sessions s JOIN sso_connections c ON c.id = s.connection_id AND c.kind = 'saml'
      WHERE s.id = $1 AND s.provider_name_id IS NOT NULL`,
    [sessionId],
  );

/**
 * SQL condition: the provider's logout message means this session or sign-in code. A row without a stored SessionIndex
 * matches, because the message may mean it.
 */
const IS_NAMED = `connection_id = $1 AND provider_name_id = $2
  AND (cardinality($3::text[]) = 0 OR provider_session IS NULL OR provider_session = ANY($3))`;

/**
 * Ends the sessions that this provider began for this NameID: those with the given SessionIndexes, or all if `indexes`
 * is empty. Deletes sign-in codes that would open new ones. Sessions that the person opened with a password, a passkey
 * or another connection continue.
 * @returns how many ended
 */
export const endSessionsOf = (configurationId: string, nameId: string, indexes: readonly string[]): Promise<number> =>
  endProviderSessions(configurationId, IS_NAMED, [configurationId, nameId, indexes]);
