import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { completeDuesRun, issueNextChapters } from '../../../models/finances/dues-runs/issuePlanned.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { during } from '../../support/during.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aWorld, type Person, type World } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const path = (id: string) => `/api/hq/dues/${id}/runs/`;

/** An organization of its own with rates for undergrads and associates. */
async function anOrganization(): Promise<World> {
  const world = await aWorld();
  await aMember(world.organizationId, world.chapterId, 'member', 'associate');
  await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  await setRate(world, 'undergrad', 12_500);
  await setRate(world, 'associate', 6_000);
  return world;
}
const setRate = (world: World, status: string, cents: number) =>
  asOwner(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT dues_rates_term_status_unique DO UPDATE SET amount_cents = excluded.amount_cents`,
    [world.organizationId, world.termId, status, cents],
  );
const post = (world: World, body: object) =>
  stage.as(world.admin).post(path(world.organizationId), { term: world.termId, due_date: inAMonth, ...body });
const preview = async (world: World, body: object = {}) => (await post(world, { dry_run: true, ...body })).body;
const commit = async (world: World, body: object = {}) =>
  post(world, { preview_hash: (await preview(world, body)).preview_hash, ...body });
const run = async (world: World, id: string) =>
  (await stage.as(world.admin).get(`${path(world.organizationId)}${id}/`)).body;

/** Runs the steps of the workflow, each one twice. */
async function issue(world: World, duesRunId: string): Promise<void> {
  const twice = async <T>(step: () => Promise<T>): Promise<T> => {
    await inTenant(world.organizationId, step);
    return inTenant(world.organizationId, step);
  };
  let after: string | null = null;
  do {
    const from: string | null = after;
    after = await twice(() => issueNextChapters(duesRunId, from));
  } while (after);
  await twice(() => completeDuesRun(duesRunId));
}

const invoices = (world: World) =>
  asOwner(
    `SELECT payer_type, total_cents::int, balance_due_cents::int, status, is_recurring, count(*)::int AS n
       FROM chapter_invoices WHERE organization_id = $1 AND term_id = $2 GROUP BY 1, 2, 3, 4, 5 ORDER BY total_cents`,
    [world.organizationId, world.termId],
  );

test('dues runs need a signed-in organization admin', async () => {
  const { organizationId, termId, officer } = stage.world;
  expect(await stage.nobody.get(path(organizationId))).toMatchObject({ status: 401 });
  expect(await stage.as(officer).get(path(organizationId))).toMatchObject({ status: 403 });
  expect(
    await stage.as(officer).post(path(organizationId), { term: termId, due_date: inAMonth, dry_run: true }),
  ).toMatchObject({ status: 403 });
});

test("another organization's dues runs and terms are not found", async () => {
  const [mine, theirs] = [await anOrganization(), await anOrganization()];
  const { body } = await commit(theirs);
  await expectNowhere(theirs.organizationId, (id) => stage.as(mine.admin).get(path(id)));
  await expectNowhere(body.id, (id) => stage.as(mine.admin).get(`${path(mine.organizationId)}${id}/`));
  for (const term of [theirs.termId, randomUUID()]) {
    expect(await post(mine, { dry_run: true, term })).toMatchObject({
      status: 400,
      body: { errors: { term: ['There is no such term.'] } },
    });
  }
});

test.each([
  ['term', 'spring'],
  ['due_date', '2026-02-30'],
  ['due_date', '2020-01-01'],
  ['due_date', '2150-02-01'],
  ['due_date', 20_270_101],
  ['dry_run', 'yes'],
  ['preview_hash', 'abc'],
  ['chapter', 'Alpha'],
  ['amount_cents', 1],
])('%s: %j is refused at its field', async (field, value) => {
  const world = await anOrganization();
  const answer = await post(world, { dry_run: true, [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test('a dues run is refused without the hash of a preview', async () => {
  expect(await post(await anOrganization(), {})).toMatchObject({
    status: 400,
    body: { errors: { preview_hash: [expect.any(String)] } },
  });
});

test('a term without dues rates cannot be billed', async () => {
  expect(await post(await aWorld(), { dry_run: true })).toMatchObject({
    status: 400,
    body: { errors: { term: [expect.stringContaining('no dues rates')] } },
  });
});

test('the preview lists the invoices by chapter and status and changes nothing', async () => {
  const world = await anOrganization();
  const shown = await preview(world);
  expect(shown).toMatchObject({
    dry_run: true,
    totals: { chapters: 2, invoices: 6, members: 6, amount_cents: 5 * 12_500 + 6_000, already_invoiced: 0 },
    chapters: [
      {
        chapter_name: 'Alpha',
        billing_mode: 'bill_member',
        invoices: 5,
        lines: [
          { status: 'associate', quantity: 1, amount_cents: 6_000 },
          { status: 'undergrad', quantity: 4, unit_amount_cents: 12_500, amount_cents: 50_000 },
        ],
      },
      { chapter_name: 'Beta', invoices: 1 },
    ],
    has_more_member_lines: false,
  });
  expect(shown.member_lines).toHaveLength(6);
  expect((await preview(world, { chapter: world.otherChapterId })).member_lines).toHaveLength(1);
  expect((await preview(world)).preview_hash).toBe(shown.preview_hash);
  expect(await invoices(world)).toEqual([]);
});

test('a confirmed run issues exactly what was previewed, even if rates and members change meanwhile', async () => {
  const world = await anOrganization();
  const started = await commit(world);
  expect(started).toMatchObject({
    status: 202,
    body: { status: 'running', invoices_planned: 6, invoices_issued: 0, planned_cents: 68_500 },
  });
  await setRate(world, 'undergrad', 99_999);
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [world.member.membershipId]);

  await issue(world, started.body.id);
  expect(await run(world, started.body.id)).toMatchObject({
    status: 'completed',
    chapters_done: 2,
    invoices_issued: 6,
    issued_cents: 68_500,
  });
  expect(await invoices(world)).toEqual([
    { payer_type: 'member', total_cents: 6_000, balance_due_cents: 6_000, status: 'open', is_recurring: true, n: 1 },
    { payer_type: 'member', total_cents: 12_500, balance_due_cents: 12_500, status: 'open', is_recurring: true, n: 5 },
  ]);
});

test('a run notifies payers unless the admin turns that off, and the preview counts the mails', async () => {
  const world = await anOrganization();
  const countNotifications = async () =>
    (
      await asOwner(`SELECT FROM notifications WHERE organization_id = $1 AND notification_type = 'invoice_issued'`, [
        world.organizationId,
      ])
    ).length;
  const { mails, invoices: planned } = (await preview(world)).totals;
  expect(mails).toBe(planned);
  expect((await preview(world, { notify: false })).totals.mails).toBe(0);
  // The hash covers the setting: a preview without notifications does not confirm a run with them.
  const silent = (await preview(world, { notify: false })).preview_hash;
  expect((await post(world, { preview_hash: silent })).body.code).toBe('preview_stale');
  const { body } = await commit(world, { notify: false });
  expect(body.notify).toBe(false);
  await issue(world, body.id);
  expect(await countNotifications()).toBe(0);
  await aMember(world.organizationId, world.chapterId);
  await issue(world, (await commit(world)).body.id);
  expect(await countNotifications()).toBe(1);
});

test('a member who is already billed for the term is skipped and counted in the preview', async () => {
  const world = await anOrganization();
  await issue(world, (await commit(world)).body.id);
  await aMember(world.organizationId, world.chapterId);
  const shown = await preview(world);
  expect(shown.totals).toEqual({
    chapters: 1,
    invoices: 1,
    members: 1,
    amount_cents: 12_500,
    already_invoiced: 6,
    mails: 1,
  });
  await issue(world, (await commit(world)).body.id);
  expect((await preview(world)).totals).toMatchObject({ invoices: 0, already_invoiced: 7 });
  expect(await commit(world)).toMatchObject({ status: 409, body: { code: 'nothing_to_issue' } });
});

test('a member who was billed at their old chapter is not billed again at the new one for the same term', async () => {
  const world = await anOrganization();
  await issue(world, (await commit(world)).body.id);
  const transfer = async (membership: string, to_chapter: string): Promise<void> => {
    const path = `/api/memberships/${membership}/transfer/`;
    const { preview_hash } = (await stage.as(world.admin).post(path, { to_chapter, dry_run: true })).body;
    const { status } = await stage.as(world.admin).post(path, { to_chapter, preview_hash });
    expect(status).toBeLessThan(300);
  };
  await transfer(world.member.membershipId, world.otherChapterId);
  expect((await preview(world)).totals).toMatchObject({ invoices: 0, already_invoiced: 6 });
  const newcomer = await aMember(world.organizationId, world.chapterId);
  await transfer(newcomer.membershipId, world.otherChapterId);
  expect((await preview(world)).totals).toMatchObject({ invoices: 1, amount_cents: 12_500, already_invoiced: 6 });
});

test('a member who was billed through their chapter is not billed again after a transfer, but a newcomer is', async () => {
  const world = await anOrganization();
  const admin = stage.as(world.admin);
  const override = { chapter: world.chapterId, effective_term: world.termId, billing_mode: 'bill_chapter' };
  const overridden = await admin.post(`/api/hq/dues/${world.organizationId}/billing-overrides/`, override);
  expect(overridden.status).toBe(201);
  const { id } = (await commit(world)).body;
  const transfer = async (membership: string, to_chapter: string): Promise<void> => {
    const path = `/api/memberships/${membership}/transfer/`;
    const { preview_hash } = (await admin.post(path, { to_chapter, dry_run: true })).body;
    expect((await admin.post(path, { to_chapter, preview_hash })).status).toBeLessThan(300);
  };
  // One member leaves before the run reaches their chapter, one after it.
  const [early, late] = world.memberships as [string, string];
  await transfer(early, world.otherChapterId);
  await issue(world, id);
  await transfer(late, world.otherChapterId);
  expect((await preview(world)).totals).toMatchObject({ invoices: 0, amount_cents: 0 });
  const newcomer = await aMember(world.organizationId, world.chapterId);
  await transfer(newcomer.membershipId, world.otherChapterId);
  expect((await preview(world)).totals).toMatchObject({ invoices: 1, amount_cents: 12_500 });
});

const eraseAs = async ({ organizationId }: World, { userId }: Person): Promise<void> => {
  await asOwner(`INSERT INTO account_deletions (user_id, status, erases_at) VALUES ($1, 'erasing', now())`, [userId]);
  await inTenant(organizationId, () => eraseInOrganization(userId));
};
const billed = ({ membershipId }: Person) =>
  asOwner('SELECT status FROM chapter_invoices WHERE membership_id = $1', [membershipId]);

test('a member whose account is erased before the run reaches them is not billed', async () => {
  const world = await anOrganization();
  const { id } = (await commit(world)).body;
  await eraseAs(world, world.member);
  await issue(world, id);
  expect(await billed(world.member)).toEqual([]);
  const ended = await run(world, id);
  expect(ended).toMatchObject({ status: 'completed', invoices_issued: ended.invoices_planned - 1 });
});

test("an invoice that a run issues while the payer's account is erased becomes void", async () => {
  const world = await anOrganization();
  const { id } = (await commit(world)).body;
  const bill = `WITH run AS (SELECT * FROM dues_runs WHERE id = $1 FOR NO KEY UPDATE)
    INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, dues_run_id, payer_type, membership_id, is_recurring, description, issue_date, due_date)
    SELECT organization_id, $2, term_id, id, 'member', $3, true, 'Dues', due_date, due_date FROM run`;
  const { chapterId, membershipId } = world.member;
  await during(bill, [id, chapterId, membershipId], [() => eraseAs(world, world.member)]);
  expect(await billed(world.member)).toEqual([{ status: 'void' }]);
});

test('an organization with a time zone unknown to Postgres uses UTC days', async () => {
  const world = await anOrganization();
  await asOwner(`UPDATE organizations SET timezone = 'Nowhere/None' WHERE id = $1`, [world.organizationId]);
  const { id } = (await commit(world)).body;
  await issue(world, id);
  expect(await run(world, id)).toMatchObject({ status: 'completed' });
  expect((await stage.as(world.admin).get(`/api/organizations/${world.organizationId}/terms/`)).status).toBe(200);
});

test('a chapter with the mode bill_chapter gets one invoice with one line per status', async () => {
  const world = await anOrganization();
  const admin = stage.as(world.admin);
  await admin.post(`/api/hq/dues/${world.organizationId}/billing-overrides/`, {
    chapter: world.chapterId,
    effective_term: world.termId,
    billing_mode: 'bill_chapter',
  });
  expect((await preview(world)).chapters[0]).toMatchObject({
    billing_mode: 'bill_chapter',
    invoices: 1,
    members: 5,
    amount_cents: 56_000,
  });
  await issue(world, (await commit(world)).body.id);
  const { body } = await admin.get(`/api/chapters/${world.chapterId}/invoices/`);
  expect(body).toMatchObject({ count: 1, results: [{ payer_type: 'chapter', total_cents: 56_000 }] });
  const lines = (await admin.get(`/api/invoices/${body.results[0].id}/`)).body.lines;
  expect(
    lines.map(({ quantity, amount_cents }: Record<string, number>) => [quantity, amount_cents]).toSorted(),
  ).toEqual([
    [1, 6_000],
    [4, 50_000],
  ]);

  // Members who were billed through their chapter are not billed again when the mode changes.
  await asOwner('DELETE FROM chapter_billing_overrides WHERE organization_id = $1', [world.organizationId]);
  expect((await preview(world)).totals).toMatchObject({ invoices: 0, already_invoiced: 6 });
});

test('the latest billing override applies from its term on, and one of a later term not yet', async () => {
  const world = await anOrganization();
  const term = async (offset: number): Promise<string> =>
    (
      await asOwner<{ id: string }>(
        `INSERT INTO terms (organization_id, name, starts_on, ends_on)
         VALUES ($1, 'Term ' || $2::int, current_date + $2::int, current_date + $2::int + 100) RETURNING id`,
        [world.organizationId, offset],
      )
    )[0]?.id as string;
  const override = async (offset: number, mode: string) =>
    asOwner(
      'INSERT INTO chapter_billing_overrides (organization_id, chapter_id, effective_term_id, billing_mode) VALUES ($1, $2, $3, $4)',
      [world.organizationId, world.chapterId, await term(offset), mode],
    );
  const mode = async () => (await preview(world)).chapters[0].billing_mode;
  await override(300, 'bill_chapter');
  expect(await mode()).toBe('bill_member');
  await override(-400, 'bill_chapter');
  expect(await mode()).toBe('bill_chapter');
  await override(-200, 'bill_member');
  expect(await mode()).toBe('bill_member');
});

test('members of inactive chapters are not billed', async () => {
  const world = await anOrganization();
  await asOwner(`UPDATE chapters SET status = 'suspended' WHERE id = $1`, [world.otherChapterId]);
  const { chapters, not_billed } = await preview(world);
  expect(chapters).toHaveLength(1);
  expect(not_billed).toEqual([
    { chapter: world.otherChapterId, chapter_name: 'Beta', status: 'suspended', members: expect.any(Number) },
  ]);
  expect(not_billed[0].members).toBeGreaterThan(0);
});

test.each<[string, (world: World) => Promise<unknown>]>([
  ['a rate', (world) => setRate(world, 'undergrad', 1)],
  [
    'a member’s status',
    (world) => asOwner(`UPDATE memberships SET status = 'associate' WHERE id = $1`, [world.member.membershipId]),
  ],
  ['the roster', (world) => aMember(world.organizationId, world.chapterId)],
  [
    'the billing mode',
    (world) =>
      asOwner(`UPDATE org_dues_settings SET billing_mode = 'bill_chapter' WHERE organization_id = $1`, [
        world.organizationId,
      ]),
  ],
])('a preview is stale once %s has changed', async (_, change) => {
  const world = await anOrganization();
  const { preview_hash } = await preview(world);
  await change(world);
  expect(await post(world, { preview_hash })).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
  expect((await stage.as(world.admin).get(path(world.organizationId))).body.count).toBe(0);
});

test('a preview hash confirms only its own due date', async () => {
  const world = await anOrganization();
  const { preview_hash } = await preview(world);
  const dayAfter = new Date(Date.now() + 31 * 86_400_000).toISOString().slice(0, 10);
  expect(await post(world, { preview_hash, due_date: dayAfter })).toMatchObject({
    status: 409,
    body: { code: 'preview_stale' },
  });
});

test('two concurrent confirmations start one run', async () => {
  const world = await anOrganization();
  const { preview_hash } = await preview(world);
  const answers = await Promise.all([post(world, { preview_hash }), post(world, { preview_hash })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('dues_run_in_progress');
  expect((await stage.as(world.admin).get(`${path(world.organizationId)}?status=running`)).body).toMatchObject({
    count: 1,
  });
});

test('a running dues run does not issue an invoice again that was voided meanwhile', async () => {
  const world = await anOrganization();
  const { body } = await commit(world);
  await inTenant(world.organizationId, () => issueNextChapters(body.id, null));
  await asOwner(
    `UPDATE chapter_invoices SET status = 'void', voided_at = now(), balance_due_cents = 0 WHERE membership_id = $1`,
    [world.member.membershipId],
  );
  await issue(world, body.id);
  expect((await invoices(world)).reduce((sum, { n }) => sum + n, 0)).toBe(6);
});

test('the list of runs takes one statement and the preview two, for any number of members', async () => {
  const world = await anOrganization();
  await asOwner(`INSERT INTO dues_runs (organization_id, term_id, due_date, preview_hash) VALUES ($1, $2, $3, $4)`, [
    world.organizationId,
    world.termId,
    inAMonth,
    'a'.repeat(64),
  ]);
  expect(await countStatements(() => stage.as(world.admin).get(path(world.organizationId)))).toBe(3);
  expect(await countStatements(() => preview(world))).toBe(4);
});
