import { ENCRYPTED_COLUMNS, rotateSecrets } from '../../bin/rotation/rotateSecrets.js';
import { config } from '../../config.js';
import { decrypt, encrypt } from '../../models/database/encryption.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld } from '../support/world.js';

const TABLE = 'org_payment_processors';
const ownerUrl = () => process.env['DATABASE_OWNER_URL'] as string;
const OLD = { id: 'old', secret: Buffer.alloc(32, 1).toString('base64') };
const NEW = { id: 'new', secret: Buffer.alloc(32, 2).toString('base64') };
const withKeys = (...keys: { id: string; secret: string }[]) => Object.assign(config, { DATA_KEYS: keys });
const place = (rowId: string, column: string) => ({ table: TABLE, column, rowId });

interface Sealed {
  id: string;
  secret_key_encrypted: string;
  webhook_secret_encrypted: string;
}
const stored = (id: string) =>
  asOwner<Sealed>(`SELECT * FROM ${TABLE} WHERE id = $1`, [id]).then(([row]) => row as Sealed);

/** A disabled processor whose secrets are encrypted with the first key. */
async function aProcessor(): Promise<string> {
  const { organizationId } = await aWorld({ members: 1 });
  const [row] = await asOwner<{ id: string }>('SELECT uuidv7() AS id');
  const id = row?.id ?? '';
  await asOwner(
    `INSERT INTO ${TABLE} (id, organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, 'stripe', 'Cards', $3, $4)`,
    [
      id,
      organizationId,
      encrypt('sk_test_1', place(id, 'secret_key_encrypted')),
      encrypt('whsec_1', place(id, 'webhook_secret_encrypted')),
    ],
  );
  return id;
}

beforeEach(async () => {
  await asOwner(`DELETE FROM ${TABLE}`);
});
afterAll(closeOwner);

test('secrets under an old key are decrypted with the new key alone after a rotation, and a second run changes nothing', async () => {
  withKeys(OLD);
  const id = await aProcessor();
  withKeys(NEW, OLD);
  expect(await rotateSecrets(ownerUrl())).toEqual({ examined: 2, rotated: 2, unreadable: [] });
  expect(await rotateSecrets(ownerUrl())).toEqual({ examined: 2, rotated: 0, unreadable: [] });
  withKeys(NEW);
  const row = await stored(id);
  expect(decrypt(row.secret_key_encrypted, place(id, 'secret_key_encrypted'))).toBe('sk_test_1');
  expect(decrypt(row.webhook_secret_encrypted, place(id, 'webhook_secret_encrypted'))).toBe('whsec_1');
});

test('rows beyond one batch are all rotated', async () => {
  withKeys(OLD);
  const first = await aProcessor();
  await asOwner(
    `INSERT INTO ${TABLE} (organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted, disabled_at)
     SELECT organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted, now()
       FROM ${TABLE}, generate_series(1, 249) WHERE id = $1`,
    [first],
  );
  for (const { id } of await asOwner<{ id: string }>(`SELECT id FROM ${TABLE}`)) {
    await asOwner(`UPDATE ${TABLE} SET secret_key_encrypted = $2, webhook_secret_encrypted = $3 WHERE id = $1`, [
      id,
      encrypt('sk', place(id, 'secret_key_encrypted')),
      encrypt('wh', place(id, 'webhook_secret_encrypted')),
    ]);
  }
  withKeys(NEW, OLD);
  expect(await rotateSecrets(ownerUrl())).toEqual({ examined: 500, rotated: 500, unreadable: [] });
});

test('a secret whose key is lost is named and left unchanged, and the others are rotated', async () => {
  withKeys(OLD);
  const lost = await aProcessor();
  withKeys(NEW);
  const fine = await aProcessor();
  withKeys({ id: 'newest', secret: Buffer.alloc(32, 3).toString('base64') }, NEW);
  const { rotated, unreadable } = await rotateSecrets(ownerUrl());
  expect(rotated).toBe(2);
  expect(unreadable).toEqual([
    `${TABLE}.secret_key_encrypted of ${lost}`,
    `${TABLE}.webhook_secret_encrypted of ${lost}`,
  ]);
  expect((await stored(lost)).secret_key_encrypted).toMatch(/^v1\.old\./);
  expect((await stored(fine)).secret_key_encrypted).toMatch(/^v1\.newest\./);
});

test('every encrypted column of the database is in the list', async () => {
  const columns = await asOwner<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name LIKE '%\\_encrypted'`,
  );
  expect(columns.map(({ table_name, column_name }) => `${table_name}.${column_name}`).toSorted()).toEqual(
    Object.entries(ENCRYPTED_COLUMNS)
      .flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
      .toSorted(),
  );
});
