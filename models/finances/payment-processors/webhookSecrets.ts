/**
 * Ensures that no two organizations have the same webhook secret. Otherwise an event for one organization would pass
 * the signature check of the other.
 */
import { createHmac } from 'node:crypto';
import { config } from '../../../config.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { financesErrors } from '../errors.js';

/**
 * Returns the digests of a secret, one per key of the key ring. Two server processes whose key rings differ but share a
 * key then still recognize the same secret.
 */
export const webhookSecretDigests = (secret: string): string[] =>
  config.DATA_KEYS.map(({ id, secret: key }) => {
    const digest = createHmac('sha256', Buffer.from(key, 'base64')).update(`payment webhook secret\0${secret}`);
    return `${id}.${digest.digest('base64url')}`;
  });

/**
 * Claims the secret for this organization. Several of its own processors may share it, because they share an account.
 * @throws Refusal webhook_secret_in_use when another organization has it
 */
export async function claimWebhookSecret(secret: string): Promise<void> {
  const digests = webhookSecretDigests(secret).toSorted();
  await rows(
    `INSERT INTO payment_webhook_secrets (organization_id, digest) SELECT $1, unnest($2::text[])
     ON CONFLICT ON CONSTRAINT webhook_secrets_of_one DO NOTHING`,
    [currentOrganization(), digests],
  );
  const own = await firstRow<{ count: number }>(
    `SELECT count(*)::int AS count FROM payment_webhook_secrets WHERE organization_id = $1 AND digest = ANY ($2)`,
    [currentOrganization(), digests],
  );
  if (own?.count !== digests.length) throw financesErrors.webhook_secret_in_use();
}
