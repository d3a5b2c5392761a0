/** Re-encrypts secrets at rest with the key ring's first key, so that an old key can be retired. */
import { Client } from 'pg';
import { decrypt, encrypt, needsRotation } from '../../models/database/encryption.js';

/** All encrypted columns; a test compares this list with the database catalog. */
export const ENCRYPTED_COLUMNS: Record<string, string[]> = {
  oauth_configurations: ['client_secret_encrypted'],
  saml_configurations: [
    'certificate_encrypted',
    'next_certificate_encrypted',
    'third_certificate_encrypted',
    'sp_private_key_encrypted',
  ],
  saml_encryption_keys: ['private_key_encrypted'],
  sso_flows: ['secrets_encrypted'],
  account_notices: ['secret_encrypted'],
  notification_settings: ['smtp_password_encrypted'],
  storage_configs: ['secret_access_key_encrypted'],
  account_provisioning_configs: ['credentials_encrypted'],
  social_accounts: ['access_token_encrypted', 'refresh_token_encrypted'],
  push_tokens: ['token_encrypted'],
  recurring_pledges: ['card_encrypted', 'retired_card_encrypted'],
  org_payment_processors: ['secret_key_encrypted', 'webhook_secret_encrypted', 'previous_webhook_secret_encrypted'],
};

export interface Rotation {
  examined: number;
  rotated: number;
  /**
   * Secrets that could not be decrypted, as `table.column of id`: their key is not in the ring, or the value was
   * altered. They stay unchanged.
   */
  unreadable: string[];
}

type SecretRow = Record<string, string | null> & { id: string };

const BATCH_SIZE = 100;

/**
 * Re-encrypts all rows in batches, each in its own transaction. It can be interrupted and repeated at any time, while a
 * platform runs whose key ring holds both keys.
 */
export async function rotateSecrets(ownerUrl: string, columns = ENCRYPTED_COLUMNS): Promise<Rotation> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'rotate-keys' });
  await client.connect();
  const rotation: Rotation = { examined: 0, rotated: 0, unreadable: [] };
  try {
    for (const [table, names] of Object.entries(columns)) {
      let after: string | null = null;
      do after = await rotateBatch(client, table, names, after, rotation);
      while (after);
    }
    return rotation;
  } finally {
    await client.end();
  }
}

/**
 * Re-encrypts the batch of rows that follows the id `after`.
 * @returns the last row's id, or null when there are no more
 */
async function rotateBatch(client: Client, table: string, columns: string[], after: string | null, rotation: Rotation) {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<SecretRow>(
      `SELECT id, ${columns.join(', ')} FROM ${table} WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE`,
      [after],
    );
    for (const row of rows) {
      const reencrypted = reencryptSecrets(table, columns, row, rotation);
      const changed = Object.keys(reencrypted);
      if (changed.length === 0) continue;
      const assignments = changed.map((column, n) => `${column} = $${n + 2}`).join(', ');
      await client.query(`UPDATE ${table} SET ${assignments} WHERE id = $1`, [row.id, ...Object.values(reencrypted)]);
    }
    await client.query('COMMIT');
    return rows.length === BATCH_SIZE ? (rows.at(-1)?.id ?? null) : null;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Re-encrypts the columns of a row that are encrypted with an old key. @returns their new values */
function reencryptSecrets(
  table: string,
  columns: string[],
  row: SecretRow,
  rotation: Rotation,
): Record<string, string> {
  const reencrypted: Record<string, string> = {};
  for (const column of columns) {
    const stored = row[column];
    if (!stored) continue;
    rotation.examined += 1;
    if (!needsRotation(stored)) continue;
    const context = { table, column, rowId: row.id };
    try {
      reencrypted[column] = encrypt(decrypt(stored, context), context);
      rotation.rotated += 1;
    } catch {
      rotation.unreadable.push(`${table}.${column} of ${row.id}`);
    }
  }
  return reencrypted;
}
