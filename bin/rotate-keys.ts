/**
 * rotate-keys: encrypts all secrets at rest with the first key of DATA_KEYS, as the owner role. Put the new key first
 * and keep the old ones behind it, restart the platform, run this; then the old keys can go. Safe to repeat.
 */
import { config } from '../config.js';
import { rotateSecrets } from './rotation/rotateSecrets.js';

async function main(): Promise<void> {
  const { examined, rotated, unreadable } = await rotateSecrets(config.DATABASE_OWNER_URL);
  console.log(`${examined} secrets examined, ${rotated} encrypted with key ${config.DATA_KEYS[0]?.id ?? '?'}.`);
  for (const secret of unreadable)
    console.error(`Not readable with the keys in DATA_KEYS, and left as it is: ${secret}`);
  if (unreadable.length > 0) process.exitCode = 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
