import { decrypt } from '../../database/encryption.js';
import { oneRow } from '../../database/rows.js';

/** Opens a processor's account for one call. Never log what this returns. */
export async function processorAccess(processorId: string): Promise<{ provider: string; secretKey: string }> {
  const row = await oneRow<{ provider: string; secret_key_encrypted: string }>(
    'SELECT provider, secret_key_encrypted FROM org_payment_processors WHERE id = $1',
    [processorId],
  );
  return { provider: row.provider, secretKey: openSecretKey(processorId, row.secret_key_encrypted) };
}

/** A processor's sealed secret key, opened. */
export const openSecretKey = (processorId: string, sealed: string): string =>
  decrypt(sealed, { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: processorId });
