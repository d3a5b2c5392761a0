/** One webhook secret, one organization: else an event of either would verify for the other. */
import { createHmac } from 'node:crypto';
import { config } from '../../../config.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { financesErrors } from '../errors.js';

/** Under every key of the ring, so that two that know one key in common find one another. */
export const webhookSecretDigests = (secret: string): string[] =>
  config.DATA_KEYS.map(({ id, secret: key }) => {
    const digest = createHmac('sha256', Buffer.from(key, 'base64')).update(`payment webhook secret\0${secret}`);
    return `${id}.${digest.digest('base64url')}`;
  });

/**
 * Keeps that the secret is this organization's, from now on. Another of its own processors may have it too: they share an account.
 * @throws Refusal webhook_secret_in_use, whoever else has it
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
