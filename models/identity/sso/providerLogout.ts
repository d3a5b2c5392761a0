/**
 * Ends sessions because the identity provider has ended its own session (OpenID Connect back-channel logout). Call it
 * inside `inTenant` of the connection's organization.
 */
import { currentOrganization, rows } from '../../database/rows.js';
import { hashToken } from '../secretTokens.js';
import { endProviderSessions } from './endProviderSessions.js';

export interface ProviderLogout {
  connectionId: string;
  issuer: string;
  /** The session to end, by the name that the provider gave it. Null: all sessions of the person. */
  sessionId: string | null;
  subject: string | null;
  /** Id of the logout message. A message with the same id is processed only once. */
  messageId: string;
  /** When the message expires. Until then its id is stored to detect replays. */
  expiresAt: Date;
}

const CLEANUP_BATCH_SIZE = 100;

/**
 * SQL condition: the row belongs to the person whose subject at the provider is $3. If $3 is null, any person matches.
 */
const NAMED_PERSON = `($3::text IS NULL OR user_id IN (
  SELECT i.user_id FROM sso_identities i WHERE i.connection_id = $1 AND i.issuer = $2 AND i.subject = $3))`;

/**
 * Ends the sessions that the logout message names and that began through this connection, and deletes sign-in codes
 * that were not exchanged yet. A replayed message ends nothing.
 * @returns how many sessions ended
 */
export async function endSessionsByProvider(logout: ProviderLogout): Promise<number> {
  if (!(await storeMessageId(logout))) return 0;
  const { connectionId, issuer, subject, sessionId } = logout;
  const parameters = [connectionId, issuer, subject, sessionId];
  // If the message names the person, it also ends the person's sessions that have no stored session name, because the
  // provider sent none at sign-in.
  const session = '($4::text IS NULL OR provider_session = $4 OR (provider_session IS NULL AND $3::text IS NOT NULL))';
  const where = `connection_id = $1 AND ${session} AND ${NAMED_PERSON}`;
  return endProviderSessions(connectionId, where, parameters);
}

/**
 * Stores the message id.
 * @returns false when the message was already processed
 */
async function storeMessageId({ connectionId, messageId, expiresAt }: ProviderLogout): Promise<boolean> {
  const organizationId = currentOrganization();
  await rows(
    `DELETE FROM oidc_logout_tokens WHERE id IN (SELECT id FROM oidc_logout_tokens
       WHERE organization_id = $1 AND expires_at < now() LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
    [organizationId],
  );
  const inserted = await rows(
    `INSERT INTO oidc_logout_tokens (organization_id, connection_id, token_hash, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT oidc_logout_tokens_unique DO NOTHING RETURNING id`,
    [organizationId, connectionId, hashToken(messageId), expiresAt],
  );
  return inserted.length === 1;
}
