import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verify } from '@node-rs/argon2';
import { SIZES } from '../../development/seeding/blueprints.js';
import { type SeededOrganization, writeFacts } from '../../development/seeding/facts.js';
import { seed } from '../../development/seeding/seed.js';
import { decrypt } from '../../models/database/encryption.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { processorTime } from '../support/processorTime.js';
import { everyRow } from './everyRow.js';

const ownerUrl = () => process.env['DATABASE_OWNER_URL'] as string;

describe('seed', () => {
  let organizations: SeededOrganization[];
  let milliseconds: number;

  beforeAll(async () => {
    milliseconds = await processorTime(async () => ({ organizations } = await seed(ownerUrl(), 'demo')), 1);
  });
  afterAll(closeOwner);

  test('the seed creates two organizations, each with two chapters, at least sixty members and a current term', async () => {
    expect(organizations).toHaveLength(2);
    for (const { id, chapter_ids: chapters } of organizations) {
      expect(chapters.length).toBeGreaterThanOrEqual(2);
      const [counts] = await asOwner<{ members: number; terms: number }>(
        `SELECT (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
                (SELECT count(*)::int FROM terms WHERE organization_id = $1 AND current_date BETWEEN starts_on AND ends_on) AS terms`,
        [id],
      );
      expect(counts?.members).toBeGreaterThanOrEqual(60);
      expect(counts?.terms).toBe(1);
    }
  });

  test("the officer's chapter has at least two hundred open member invoices", async () => {
    for (const { id, users } of organizations) {
      const [row] = await asOwner<{ open: number }>(
        `SELECT count(*)::int AS open FROM chapter_invoices WHERE organization_id = $1 AND chapter_id = $2
            AND payer_type = 'member' AND status = 'open' AND due_date > current_date AND balance_due_cents > 0`,
        [id, users.officer.chapter_id],
      );
      expect(row?.open).toBeGreaterThanOrEqual(200);
    }
  });

  test('the seed contains open, overdue, paid, discounted and chapter invoices, and credit', async () => {
    const kinds = await asOwner<{ status: string; payer_type: string }>(
      'SELECT DISTINCT status, payer_type FROM chapter_invoices ORDER BY 1, 2',
    );
    expect(kinds.map(({ status, payer_type }) => `${status} ${payer_type}`)).toEqual(
      expect.arrayContaining(['open chapter', 'open member', 'overdue member', 'paid member']),
    );
    const [others] = await asOwner<{ discounted: boolean; credit: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM chapter_invoices WHERE discount_cents > 0) AS discounted,
              EXISTS (SELECT 1 FROM chapter_account_credits) AS credit`,
    );
    expect(others).toEqual({ discounted: true, credit: true });
  });

  test('an anonymous person can apply to each organization, with a letter of reference', async () => {
    for (const { id } of organizations)
      expect(
        await asOwner(
          `SELECT c.reference_letters FROM pnm_application_configs c JOIN recruitment_periods p USING (organization_id)
            WHERE organization_id = $1 AND p.status = 'active' AND now() BETWEEN p.opens_at AND p.closes_at`,
          [id],
        ),
      ).toEqual([{ reference_letters: 1 }]);
  });

  test('anybody can give to the public campaign of each foundation, which has an admin and an editor', async () => {
    for (const { id, foundation, users } of organizations) {
      const [row] = await asOwner(
        `SELECT app.foundation_of(f.id) = $1 AS is_public, c.status, c.visibility, p.purpose, p.disabled_at, r.fee_pass_through,
                (SELECT json_object_agg(a.role, a.user_id) FROM foundation_admins a WHERE a.foundation_id = f.id) AS people
           FROM foundation_configs f JOIN campaigns c USING (organization_id)
           JOIN foundation_payment_processors r ON r.foundation_id = f.id
           JOIN org_payment_processors p ON p.id = r.processor_id
          WHERE f.id = $2 AND c.slug = $3 AND f.legal_name IS NOT NULL AND f.ein IS NOT NULL AND f.mailing_address IS NOT NULL`,
        [id, foundation.id, foundation.campaign_slug],
      );
      expect(row).toEqual({
        is_public: true,
        status: 'active',
        visibility: 'public',
        purpose: 'foundation',
        disabled_at: null,
        fee_pass_through: true,
        people: { admin: users.foundation_admin.id, editor: users.foundation_editor.id },
      });
    }
  });

  test('every person in the facts can sign in, and members of an organization belong to it', async () => {
    for (const { id, users } of organizations)
      for (const [role, person] of Object.entries(users)) {
        const [row] = await asOwner<{ password_hash: string; here: boolean }>(
          `SELECT password_hash, EXISTS (SELECT 1 FROM affiliations a WHERE a.user_id = u.id AND a.organization_id = $2) AS here
             FROM users u WHERE email = $1`,
          [person.email, id],
        );
        expect(await verify(row?.password_hash ?? '', person.password)).toBe(true);
        expect(row?.here).toBe(role !== 'platform_admin');
        expect(person.membership_id !== null).toBe(role !== 'platform_admin');
      }
  });

  test('each organization charges dues and gifts through accounts of its own', async () => {
    type Column = 'secret_key_encrypted' | 'webhook_secret_encrypted';
    const rows = await asOwner<{ id: string } & Record<Column, string>>(
      'SELECT id, secret_key_encrypted, webhook_secret_encrypted FROM org_payment_processors WHERE disabled_at IS NULL',
    );
    const secretsOf = (column: Column) =>
      rows.map((row) => decrypt(row[column], { table: 'org_payment_processors', column, rowId: row.id }));
    const keys = secretsOf('secret_key_encrypted');
    expect([keys, secretsOf('webhook_secret_encrypted')].map((all) => new Set(all).size)).toEqual([4, 4]);
    // Other accounts cannot sign with them.
    const digests = 'SELECT DISTINCT organization_id FROM payment_webhook_secrets';
    expect(await asOwner(digests)).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^sk_test_\w+$/);
  });

  test('a second run of the seed changes nothing and prints the same facts', async () => {
    const before = await everyRow();
    const again = await seed(ownerUrl(), 'demo');
    expect(again.added).toEqual([]);
    expect(again.organizations).toEqual(organizations);
    expect(await everyRow()).toEqual(before);
  });

  test('the facts are written to the data folder', () => {
    const file = writeFacts('seed.json', organizations);
    expect(file).toBe(path.join(process.env['DATA_DIR'] as string, 'seed.json'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(organizations);
  });

  test('the seed takes less than three seconds of processor time', () => {
    expect(Object.keys(SIZES)).toContain('demo');
    expect(milliseconds).toBeLessThan(3_000);
  });
});
