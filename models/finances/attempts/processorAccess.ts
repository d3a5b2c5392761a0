import { decrypt } from '../../database/encryption.js';
import { oneRow } from '../../database/rows.js';

/** Opens a processor's account for one call. Never log what this returns. */
export async function processorAccess(processorId: string): Promise<{ provider: string; secretKey: string }> {
  const row = await oneRow<{ provider: string; secret_key_encrypted: string }>(
    'SELECT provider, secret_key_encrypted FROM org_payment_processors WHERE id = $1',
    [processorId],
  );
  const place = { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: processorId };
  return { provider: row.provider, secretKey: decrypt(row.secret_key_encrypted, place) };
}
