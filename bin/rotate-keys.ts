/**
 * rotate-keys: re-encrypts all secrets at rest with the first key of DATA_KEYS, as the owner role. It can be repeated,
 * and can run beside the platform. Every process must know the new key before it becomes the first one
 * (docs/operating/keys.md).
 */
import { config } from '../config.js';
import { digestWebhookSecrets } from '../models/finances/payment-processors/digestWebhookSecrets.js';
import { rotateSecrets } from './rotation/rotateSecrets.js';
import { reportFailure } from './reportFailure.js';

async function main(): Promise<void> {
  const { examined, rotated, unreadable } = await rotateSecrets(config.DATABASE_OWNER_URL);
  console.log(`${examined} secrets examined, ${rotated} encrypted with key ${config.DATA_KEYS[0]?.id ?? '?'}.`);
  for (const processor of await digestWebhookSecrets(config.DATABASE_OWNER_URL))
    console.error(`Another organization uses the same webhook secret as this processor. Replace it: ${processor}`);
  for (const secret of unreadable)
    console.error(`Cannot be decrypted with the keys in DATA_KEYS and stays unchanged: ${secret}`);
  if (unreadable.length > 0) process.exitCode = 1;
}

main().catch(reportFailure);
