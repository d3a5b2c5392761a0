/** Messages that count once, in all processes: each is remembered until nobody would accept it any more. */
import { currentOrganization, rows } from '../../../database/rows.js';
import { hashToken } from '../../secretTokens.js';

const CLEARED_AT_ONCE = 100;
/** Beyond the end that the message names: the skew of clocks is accepted there. */
const MARGIN_SECONDS = 120;

/** @returns false when this configuration's provider has sent it before */
export async function rememberMessage(
  configurationId: string,
  messageId: string,
  expiresAtMs: number,
): Promise<boolean> {
  const organizationId = currentOrganization();
  await rows(
    `DELETE FROM saml_seen_messages WHERE id IN (SELECT id FROM saml_seen_messages
       WHERE organization_id = $1 AND expires_at < now() LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [organizationId],
  );
  const remembered = await rows(
    `INSERT INTO saml_seen_messages (organization_id, configuration_id, message_hash, expires_at)
     VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000) + ${MARGIN_SECONDS} * interval '1 second')
     ON CONFLICT ON CONSTRAINT saml_seen_messages_unique DO NOTHING RETURNING id`,
    [organizationId, configurationId, hashToken(messageId), expiresAtMs],
  );
  return remembered.length === 1;
}
