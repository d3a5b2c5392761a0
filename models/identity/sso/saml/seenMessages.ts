/**
 * Replay protection for SAML messages across all processes. The id of each message is stored until the message expires.
 */
import { currentOrganization, rows } from '../../../database/rows.js';
import { hashToken } from '../../secretTokens.js';

const CLEANUP_BATCH_SIZE = 100;
/**
 * For how many seconds after a message expires its id is still kept. Such a message can still be accepted, because the
 * check of its expiry tolerates a clock skew.
 */
const MARGIN_SECONDS = 120;

/**
 * Stores the id of a message.
 * @returns false when this configuration's provider has sent it before
 */
export async function rememberMessage(
  configurationId: string,
  messageId: string,
  expiresAtMs: number,
): Promise<boolean> {
  const organizationId = currentOrganization();
  await rows(
    `DELETE FROM saml_seen_messages WHERE id IN (SELECT id FROM saml_seen_messages
       WHERE organization_id = $1 AND expires_at < now() LIMIT ${CLEANUP_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`,
    [organizationId],
  );
  const inserted = await rows(
    `INSERT INTO saml_seen_messages (organization_id, configuration_id, message_hash, expires_at)
     VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000) + ${MARGIN_SECONDS} * interval '1 second')
     ON CONFLICT ON CONSTRAINT saml_seen_messages_unique DO NOTHING RETURNING id`,
    [organizationId, configurationId, hashToken(messageId), expiresAtMs],
  );
  return inserted.length === 1;
}
