/** The large seed at a small scale: its contents do not depend on the scale. */
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '@node-rs/argon2';
import { Client } from 'pg';
import { issueOpenInvoices } from '../../development/seeding/large/openInvoices.js';
import { COMMENTS_PER_POST } from '../../development/seeding/large/forums.js';
import { GIFTS_PER_DONOR } from '../../development/seeding/large/gifts.js';
import { LARGE } from '../../development/seeding/large/scale.js';
import { type LargeSeed, seedLarge } from '../../development/seeding/large/seedLarge.js';
import { type Progress, progressDisplay } from '../../development/seeding/progress.js';
import { checkLedger } from '../../models/finances/checkLedger.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { everyRow } from './everyRow.js';

const SCALE = { organizations: 3, chapters: 4, members: 50, donors: 200, posts: 100 };
const LONGER_THAN_SEEDING_MS = 4_000;
const MEMBERS = SCALE.organizations * SCALE.chapters * SCALE.members;
const ownerUrl = () => process.env['DATABASE_OWNER_URL'] as string;
const count = async (source: string) =>
  (await asOwner<{ count: number }>(`SELECT count(*)::int AS count FROM ${source}`))[0]?.count;

describe('the large seed', () => {
  let seeded: LargeSeed;
  const steps: Progress[] = [];

  beforeAll(async () => {
    seeded = await seedLarge(ownerUrl(), { scale: SCALE, onProgress: (step) => steps.push(step) });
  });
  afterAll(closeOwner);

  test('the large seed has five invoices, three payments and ten notifications for each of 100,000 members at full scale', async () => {
    expect(LARGE.organizations * LARGE.chapters * LARGE.members).toBe(100_000);
    expect(await count('memberships')).toBe(MEMBERS);
    expect(await count('chapter_invoices')).toBe(5 * MEMBERS);
    expect(await count('invoice_line_items')).toBe(5 * MEMBERS);
    expect(await count('payment_records')).toBe(3 * MEMBERS);
    expect(await count('notifications')).toBe(10 * MEMBERS);
    expect(await count('notification_deliveries')).toBe(0);
  });

  test('a fifth of the members have applied, most of them in a past period', async () => {
    for (const what of ['pnm_applications', 'pnm_application_versions', 'pnm_profiles'])
      expect(await count(what)).toBe(MEMBERS / 5);
    const open = await count(`pnm_profiles p JOIN recruitment_periods r ON r.id = p.recruitment_period_id
      JOIN memberships m ON m.id = p.membership_id WHERE r.status = 'active' AND m.status = 'pnm' AND p.stage = 'not_started'`);
    expect(open).toBe(SCALE.organizations * SCALE.chapters * Math.floor(SCALE.members / 30));
  });

  test('each foundation has gifts in every status, receipts with gap-free numbers, and totals that equal the entries', async () => {
    const donors = SCALE.organizations * SCALE.donors;
    expect(await count('donors')).toBe(donors);
    expect(await count('donations')).toBe(GIFTS_PER_DONOR * donors);
    const kinds = await asOwner<{ kind: string }>(
      `SELECT DISTINCT status || CASE WHEN under_review THEN ' under review' WHEN refunded_cents BETWEEN 1 AND amount_cents - 1
                THEN ' refunded in part' ELSE '' END AS kind FROM donations ORDER BY 1`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'completed',
      'completed refunded in part',
      'failed',
      'pending under review',
      'refunded',
    ]);
    for (const status of ['valid', 'superseded', 'void'])
      expect(await count(`tax_receipts WHERE status = '${status}'`)).toBeGreaterThan(0);
    expect(await count('campaigns WHERE raised_cents > 0')).toBe(12 * SCALE.organizations);
    expect(await count('funds WHERE total_cents > 0')).toBe(4 * SCALE.organizations);
    expect(await count(`pg_trigger WHERE tgname = 'donation_entries_added' AND tgenabled = 'O'`)).toBe(1);
  });

  test('the first donors with a completed gift have pledges, whose first period that gift has paid', async () => {
    const donors =
      await count(`(SELECT DISTINCT donor_id FROM donations WHERE status = 'completed' AND refunded_cents = 0
      AND id NOT IN (SELECT donation_id FROM donation_entries WHERE kind = 'reinstated')) d`);
    expect(await count('recurring_pledges')).toBe(donors);
    expect(await count('recurring_pledges WHERE next_due_at <= now()')).toBe(0);
    expect(
      await count(`recurring_pledges g JOIN donations d ON d.pledge_id = g.id AND d.donor_id = g.donor_id AND d.period = 0
        JOIN pledge_periods p ON p.pledge_id = g.id AND p.donation_id = d.id AND p.n = 0 AND p.status = 'paid'`),
    ).toBe(donors);
    for (const status of ['active', 'paused', 'cancelled'])
      expect(await count(`recurring_pledges WHERE status = '${status}'`)).toBeGreaterThan(0);
  });

  test('each organization has a forum of all people and one of each chapter, and their counters equal the rows', async () => {
    const posts = SCALE.organizations * SCALE.posts;
    expect(await count('forums WHERE member_count > 0')).toBe(SCALE.organizations * (SCALE.chapters + 1));
    expect(await count('forum_posts')).toBe(posts);
    expect(await count('forum_comments')).toBe(COMMENTS_PER_POST * posts);
    for (const wrong of [
      `forums f WHERE member_count <> (SELECT count(*) FROM forum_memberships m WHERE m.forum_id = f.id)`,
      `forum_memberships WHERE app.forum_role(organization_id, user_id, forum_id) IS NULL`,
      `forum_posts p JOIN LATERAL (SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS number, max(created_at) AS latest
         FROM forum_comments c WHERE c.post_id = p.id) c ON true
        WHERE p.comment_count <> c.number OR p.last_activity_at <> coalesce(c.latest, p.created_at) OR p.last_activity_at > now()`,
    ])
      expect(await count(wrong)).toBe(0);
  });

  test('the ledger of the large seed satisfies every invariant', async () => {
    const ledger = await checkLedger(ownerUrl());
    expect(ledger.violations).toEqual([]);
    expect(ledger.examined).toBeGreaterThan(20 * MEMBERS);
  });

  test('the large seed has invoices in every status, discounts, credit, and settled and draft remittances', async () => {
    const kinds = await asOwner<{ kind: string }>(
      `SELECT DISTINCT payer_type || ' ' || status AS kind FROM chapter_invoices ORDER BY 1`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'chapter open',
      ...['open', 'overdue', 'paid', 'partially_paid', 'void'].map((status) => `member ${status}`),
    ]);
    const some = ['invoice_discounts', "chapter_account_credits WHERE kind = 'applied'", 'audit_log'];
    for (const source of [...some, 'chapter_remittances WHERE settled_at IS NULL', 'processor_captures'])
      expect(await count(source)).toBeGreaterThan(0);
    expect(await count('chapter_remittances WHERE settled_at IS NOT NULL')).toBe(
      (await count('payment_attempts WHERE remittance_id IS NOT NULL')) as number,
    );
  });

  test('each chapter has an officer and at least thirty open member invoices', () => {
    for (const { chapters } of seeded.organizations) {
      expect(chapters).toHaveLength(SCALE.chapters);
      for (const { open_invoices: open, officer_email: email } of chapters) {
        expect(open).toBeGreaterThanOrEqual(30);
        expect(email).toMatch(/^treasurer\.\d\d\.large-0\d@example\.org$/);
      }
    }
  });

  test('admins and officers can sign in', async () => {
    for (const { admin_email, regional_admin_email, password, chapters } of seeded.organizations)
      for (const email of [admin_email, regional_admin_email, ...chapters.map(({ officer_email }) => officer_email)]) {
        const [row] = await asOwner<{ password_hash: string }>('SELECT password_hash FROM users WHERE email = $1', [
          email,
        ]);
        expect(await verify(row?.password_hash ?? '', password)).toBe(true);
      }
  });

  test('ids are the same in every database, and older than ids of later rows', async () => {
    const ids = seeded.organizations.map(({ id }) => id);
    expect(ids).toEqual([
      '018cc251-f401-7e53-8d7d-4223a9579575',
      expect.stringMatching(/^018cc251-f402-7/),
      expect.stringMatching(/^018cc251-f403-7/),
    ]);
    expect(
      await count(
        'audit_log a JOIN audit_log b ON a.organization_id = b.organization_id AND a.id < b.id AND a.created_at > b.created_at',
      ),
    ).toBe(0);
    expect(await count('chapter_invoices WHERE id > uuidv7()')).toBe(0);
  });

  test('a second run of the large seed changes nothing, and an interrupted one continues', async () => {
    const before = await everyRow();
    const again = await seedLarge(ownerUrl(), { scale: SCALE });
    expect(again).toEqual({ added: [], organizations: seeded.organizations });
    expect(await everyRow()).toEqual(before);
    const more = await seedLarge(ownerUrl(), { scale: { ...SCALE, organizations: 4 } });
    expect(more.added).toEqual(['large-04']);
  });

  test('pages of the seeded tables are all-visible, even when a reader held a snapshot during the seed', async () => {
    const onlooker = new Client({ connectionString: ownerUrl() });
    await onlooker.connect();
    try {
      await onlooker.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await onlooker.query('SELECT count(*) FROM users');
      const seeding = seedLarge(ownerUrl(), { scale: { ...SCALE, organizations: 5 } });
      await sleep(LONGER_THAN_SEEDING_MS);
      const marked = async () =>
        (await asOwner(`SELECT 1 FROM pg_class WHERE relname = 'users' AND relallvisible = relpages`)).length === 1;
      expect(await marked()).toBe(false);
      await onlooker.query('ROLLBACK');
      await seeding;
      expect(await marked()).toBe(true);
    } finally {
      await onlooker.end();
    }
  });

  test('more open invoices can be issued in a chapter, and the ledger stays sound', async () => {
    const [organization] = seeded.organizations;
    const chapterId = organization?.chapters[0]?.id as string;
    const client = new Client({ connectionString: ownerUrl() });
    await client.connect();
    const issue = (chapter: string) =>
      issueOpenInvoices(client, { organizationId: organization?.id as string, chapterId: chapter, count: 120 });
    try {
      const ids = await issue(chapterId);
      const open = await asOwner<{ id: string }>(
        `SELECT id FROM chapter_invoices WHERE chapter_id = $1 AND status = 'open' AND balance_due_cents = 5000 ORDER BY id`,
        [chapterId],
      );
      expect(open.map(({ id }) => id)).toEqual(ids.sort());
      await expect(issue(crypto.randomUUID())).rejects.toThrow('has no members');
    } finally {
      await client.end();
    }
    expect((await checkLedger(ownerUrl())).violations).toEqual([]);
  });

  test('progress is reported from the first step to the last', () => {
    const last = steps.at(-1) as Progress;
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, index) => index + 1));
    expect(last.done).toBe(last.total);
  });

  test('without a terminal, progress is one line for each tenth', () => {
    const lines: string[] = [];
    const display = progressDisplay(false, (line) => lines.push(line));
    for (let done = 1; done <= 40; done += 1) display.show({ done, total: 40, label: `step ${done}` });
    display.end();
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('100 %: step 40');
  });
});
