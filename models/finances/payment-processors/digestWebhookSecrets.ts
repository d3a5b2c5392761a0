/**
 * Stores keyed digests of all webhook secrets, one per key of the key ring. This is needed for secrets that were stored
 * without a digest, and after a key was added to the ring.
 */
import { Client } from 'pg';
import { decryptIfPossible } from '../../database/encryption.js';
import { webhookSecretDigests } from './webhookSecrets.js';

const TABLE = 'org_payment_processors';
const COLUMNS = ['webhook_secret_encrypted', 'previous_webhook_secret_encrypted'] as const;

interface Row {
  id: string;
  organization_id: string;
  webhook_secret_encrypted: string;
  previous_webhook_secret_encrypted: string | null;
}

/**
 * Stores the digests. If several organizations have the same secret, it belongs to the one whose processor is the
 * oldest.
 * @returns the processors whose secret belongs to another organization
 */
export async function digestWebhookSecrets(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'rotate-keys' });
  await client.connect();
  const shared: string[] = [];
  try {
    const { rows } = await client.query<Row>(
      `SELECT id, organization_id, ${COLUMNS.join(', ')} FROM ${TABLE} ORDER BY created_at, id`,
    );
    for (const row of rows)
      for (const column of COLUMNS) {
        const encrypted = row[column];
        const secret = encrypted && decryptIfPossible(encrypted, { table: TABLE, column, rowId: row.id });
        if (secret && !(await saveDigests(client, row, webhookSecretDigests(secret)))) shared.push(row.id);
      }
    return [...new Set(shared)];
  } finally {
    await client.end();
  }
}

async function saveDigests(client: Client, { organization_id }: Row, digests: string[]): Promise<boolean> {
  await client.query(
    `INSERT INTO payment_webhook_secrets (organization_id, digest) SELECT $1, unnest($2::text[])
     ON CONFLICT ON CONSTRAINT webhook_secrets_of_one DO NOTHING`,
    [organization_id, digests],
  );
  const { rows } = await client.query(
    'SELECT FROM payment_webhook_secrets WHERE digest = ANY ($2) AND organization_id <> $1',
    [organization_id, digests],
  );
  return rows.length === 0;
}
