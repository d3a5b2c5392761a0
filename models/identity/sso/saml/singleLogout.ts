/** Single logout: which sessions the identity provider means, and what it calls one of ours. Inside of `inTenant`. */
import { firstRow } from '../../../database/rows.js';
import { endProviderSessions } from '../endProviderSessions.js';
import type { ProviderName } from '../provenIdentity.js';

/** A session as its SAML configuration's provider knows it. */
export interface NamedSession extends ProviderName {
  configurationId: string;
  /** SessionIndex; null: the provider did not say. */
  index: string | null;
}

/** @returns null for a session that no SAML configuration began */
export const namedSession = (sessionId: string): Promise<NamedSession | null> =>
  firstRow<NamedSession>(
    `SELECT c.id AS "configurationId", s.provider_name_id AS "nameId",
            s.provider_name_attributes AS attributes, s.provider_session AS index
       FROM sessions s JOIN sso_connections c ON c.id = s.connection_id AND c.kind = 'saml'
      WHERE s.id = $1 AND s.provider_name_id IS NOT NULL`,
    [sessionId],
  );

/** SQL: what the provider means. One of ours whose index it never told may be the one. */
const MEANT = `connection_id = $1 AND provider_name_id = $2
  AND (cardinality($3::text[]) = 0 OR provider_session IS NULL OR provider_session = ANY($3))`;

/**
 * Ends the sessions that this configuration's provider opened for whom it calls by this name, those of `indexes` or all
 * of them, and the codes that would open more. What the person opened with a password or passkey, or elsewhere, is not
 * the provider's to end.
 * @returns how many ended
 */
export const endSessionsOf = (configurationId: string, nameId: string, indexes: readonly string[]): Promise<number> =>
  endProviderSessions(configurationId, MEANT, [configurationId, nameId, indexes]);
