/** A provider ends a session of its own, and with it those here that it began. Inside of `inTenant` of the connection. */
import { currentOrganization, rows } from '../../database/rows.js';
import { hashToken } from '../secretTokens.js';
import { endProviderSessions } from './endProviderSessions.js';

export interface ProviderLogout {
  connectionId: string;
  issuer: string;
  /** null: every session of the person. */
  sessionId: string | null;
  subject: string | null;
  /** Of the message: it counts once. */
  messageId: string;
  /** When nobody would believe it any more: until then it is remembered. */
  expiresAt: Date;
}

const CLEARED_AT_ONCE = 100;

/** SQL: whom the provider calls by this name; $3 may be null, for anybody. */
const NAMED = `($3::text IS NULL OR user_id IN (
  SELECT i.user_id FROM sso_identities i WHERE i.connection_id = $1 AND i.issuer = $2 AND i.subject = $3))`;

/**
 * Ends what the provider names: live sessions that this connection began, and codes that were not exchanged yet.
 * A message that was acted on before ends nothing.
 * @returns how many sessions ended
 */
export async function endSessionsByProvider(logout: ProviderLogout): Promise<number> {
  if (!(await remember(logout))) return 0;
  const { connectionId, issuer, subject, sessionId } = logout;
  const named = [connectionId, issuer, subject, sessionId];
  // Where nobody said which of the provider's sessions it was, it may be the one: of the person who is named.
  const session = '($4::text IS NULL OR provider_session = $4 OR (provider_session IS NULL AND $3::text IS NOT NULL))';
  const where = `connection_id = $1 AND ${session} AND ${NAMED}`;
  return endProviderSessions(connectionId, where, named);
}

/** @returns false when it was acted on before */
async function remember({ connectionId, messageId, expiresAt }: ProviderLogout): Promise<boolean> {
  const organizationId = currentOrganization();
  await rows(
    `DELETE FROM oidc_logout_tokens WHERE id IN (SELECT id FROM oidc_logout_tokens
       WHERE organization_id = $1 AND expires_at < now() LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [organizationId],
  );
  const remembered = await rows(
    `INSERT INTO oidc_logout_tokens (organization_id, connection_id, token_hash, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT oidc_logout_tokens_unique DO NOTHING RETURNING id`,
    [organizationId, connectionId, hashToken(messageId), expiresAt],
  );
  return remembered.length === 1;
}
