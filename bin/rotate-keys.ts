/**
 * rotate-keys: re-encrypts all secrets at rest with the first key of DATA_KEYS, as the owner role. Safe to repeat,
 * also beside the running platform. Every process must know the new key before it becomes the first
 * (docs/operating/keys.md).
 */
import { config } from '../config.js';
import { digestWebhookSecrets } from '../models/finances/payment-processors/digestWebhookSecrets.js';
import { rotateSecrets } from './rotation/rotateSecrets.js';
import { complain } from './complain.js';

async function main(): Promise<void> {
  const { examined, rotated, unreadable } = await rotateSecrets(config.DATABASE_OWNER_URL);
  console.log(`${examined} secrets examined, ${rotated} encrypted with key ${config.DATA_KEYS[0]?.id ?? '?'}.`);
  for (const processor of await digestWebhookSecrets(config.DATABASE_OWNER_URL))
    console.error(
      `Another organization has the webhook secret of this processor, which is to be replaced: ${processor}`,
    );
  for (const secret of unreadable)
    console.error(`Not readable with the keys in DATA_KEYS, and left as it is: ${secret}`);
  if (unreadable.length > 0) process.exitCode = 1;
}

main().catch(complain);
