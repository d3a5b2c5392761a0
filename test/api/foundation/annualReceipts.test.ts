import { MockActivityEnvironment } from '@temporalio/testing';
import { finishAnnualReceipts, issueNextAnnualReceipts } from '../../../activities/foundation/annualReceipts.js';
import '../../../models/wireAreas.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { documentText } from '../../support/documentText.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aGift, annualReceiptsOf, LAST_YEAR, lastYear, move, type ReceiptRow } from '../../support/gifts.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aWorld } from '../../support/world.js';

const stage = apiWorld();
const { api, world, other, as } = stage;
const path = (id = '') => `/api/foundation/annual-receipts/${id && `${id}/`}`;
const environment = new MockActivityEnvironment();

let foundation: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
});

const admin = () => as(foundation.admin);
const preview = async (tax_year = LAST_YEAR) => (await admin().post(path(), { tax_year, dry_run: true })).body;
const confirm = (preview_hash: string, tax_year = LAST_YEAR) => admin().post(path(), { tax_year, preview_hash });
const giftOf = (details = {}) => aGift(world.organizationId, foundation, { at: lastYear(), ...details });
const receipts = () =>
  asOwner<{ count: number }>(
    'SELECT count(*)::int FROM tax_receipts WHERE organization_id = $1 AND donation_id IS NULL',
    [world.organizationId],
  ).then(([row]) => row?.count);

/** Does what the process of a run does, without mail. */
async function issue(runId: string): Promise<void> {
  const input = { organizationId: world.organizationId, runId };
  let after: string | null = null;
  do after = await environment.run(issueNextAnnualReceipts, { ...input, after });
  while (after !== null);
  await environment.run(finishAnnualReceipts, input);
}

test('an admin previews the receipts of a year and issues exactly those', async () => {
  const twice = await giftOf({ cents: 5_000, firstName: 'Ada', lastName: 'Okoye' });
  await giftOf({ cents: 2_500, email: twice.email, at: lastYear('11-30') });
  const partly = await giftOf({ cents: 4_000 });
  await move(partly, 'returned', 1_000);
  const wholly = await giftOf({ cents: 3_000 });
  await move(wholly, 'returned', 3_000);
  await giftOf({ at: `${LAST_YEAR + 1}-01-02T12:00:00Z` });

  const { status, body } = await admin().post(path(), { tax_year: LAST_YEAR, dry_run: true });
  expect([status, await receipts()]).toEqual([200, 0]);
  const lines = [
    { donor: twice.donorId, donor_name: 'Ada Okoye', gifts: 2, amount_cents: 7_500 },
    { donor: partly.donorId, donor_name: 'Dana Reyes', gifts: 1, amount_cents: 3_000 },
  ];
  expect(body).toEqual({
    dry_run: true,
    tax_year: LAST_YEAR,
    preview_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    currency: 'usd',
    totals: { receipts: 2, gifts: 3, amount_cents: 10_500 },
    lines: lines.toSorted((a, b) => (a.donor < b.donor ? -1 : 1)),
    has_more_lines: false,
  });

  const started = await confirm(body.preview_hash);
  expect(started).toMatchObject({
    status: 202,
    body: {
      tax_year: LAST_YEAR,
      status: 'running',
      receipts_planned: 2,
      receipts_issued: 0,
      planned_cents: 10_500,
      started_by: foundation.admin.userId,
      workflow_id: `annual-receipts/${started.body.id}`,
    },
  });
  await issue(started.body.id);
  expect((await admin().get(path(started.body.id))).body).toMatchObject({
    status: 'issued',
    receipts_issued: 2,
    issued_cents: 10_500,
    ended_at: expect.any(String),
  });
  expect(await annualReceiptsOf(wholly)).toEqual([]);
  const [receipt] = (await annualReceiptsOf(twice)) as [ReceiptRow];
  expect(receipt).toMatchObject({ status: 'valid', amount_cents: 7_500, replaces: null, mail_status: 'waiting' });
  const shown = (await admin().get(`/api/foundation/receipts/${receipt.id}/`)).body;
  expect(shown).toMatchObject({ kind: 'annual', donation: null, donor: twice.donorId, annual_run: started.body.id });
  const listed = async (query: string) =>
    (await admin().get(`/api/foundation/receipts/?${query}`)).body.results.map(({ id }: { id: string }) => id);
  expect(await listed(`kind=annual&donor=${twice.donorId}`)).toEqual([receipt.id]);
  expect(await listed(`annual_run=${started.body.id}`)).toHaveLength(2);
  expect(await listed(`kind=gift&annual_run=${started.body.id}`)).toEqual([]);

  const pdf = await fetch(`${api.url}/api/foundation/receipts/${receipt.id}/pdf/`, {
    headers: { Authorization: `Bearer ${foundation.editor.token}` },
  });
  const text = await documentText(Buffer.from(await pdf.arrayBuffer()));
  for (const fact of [
    receipt.number,
    'Ada Okoye',
    `March 4, ${LAST_YEAR}`,
    `November 30, ${LAST_YEAR}`,
    '$50.00',
    '$25.00',
    '$75.00',
    'It is no addition to the receipts of single gifts',
    'No goods or services were provided in exchange for these gifts.',
    `/receipts/${receipt.code}`,
  ])
    expect(text).toContain(fact);
  const page = await (await fetch(`${api.url}/receipts/${receipt.code}`)).text();
  for (const fact of ['Annual receipt', receipt.number, String(LAST_YEAR), '$75.00', 'valid'])
    expect(page).toContain(fact);
  expect(page).not.toContain('Okoye');

  const { preview_hash, totals } = await preview();
  expect(totals).toEqual({ receipts: 0, gifts: 0, amount_cents: 0 });
  expect(await confirm(preview_hash)).toMatchObject({ status: 409, body: { code: 'no_receipts_due' } });
  expect(await confirm(body.preview_hash)).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
});

test('a preview is stale after any change, and nothing is issued or mailed', async () => {
  const gift = await giftOf({ cents: 4_000 });
  const { preview_hash } = await preview();
  const before = [await receipts(), await mails()];
  const expectStale = async () => {
    expect(await confirm(preview_hash)).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
    expect([await receipts(), await mails()]).toEqual(before);
  };
  // The total of the donor stays the same.
  await move(gift, 'returned', 1_000);
  await giftOf({ cents: 1_000, email: gift.email });
  before[1] = await mails();
  await expectStale();
  const second = await preview();
  await asOwner('UPDATE donors SET last_name = $2 WHERE id = $1', [gift.donorId, 'Corrected']);
  expect(await confirm(second.preview_hash)).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
  expect(await confirm('0'.repeat(64))).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
  expect(await receipts()).toBe(before[0]);
});

const mails = () =>
  asOwner<{ count: number }>(
    `SELECT count(*)::int FROM outbox WHERE organization_id = $1 AND process IN ('annualReceipts', 'donationReceipt')`,
    [world.organizationId],
  ).then(([row]) => row?.count);

test('requests at the same moment start one run, and another preview waits for its end', async () => {
  const gift = await giftOf();
  const { preview_hash } = await preview();
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(preview_hash)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const { id } = answers[0]?.body ?? {};
  await giftOf();
  expect(await confirm((await preview()).preview_hash)).toMatchObject({
    status: 409,
    body: { code: 'annual_receipts_in_progress' },
  });
  await Promise.all([issue(id), issue(id)]);
  expect(await annualReceiptsOf(gift)).toHaveLength(1);
});

test('a donor whose gifts change after the run was confirmed is left to the next run', async () => {
  const gift = await giftOf({ cents: 4_000 });
  const { body } = await confirm((await preview()).preview_hash);
  await move(gift, 'returned', 500);
  await issue(body.id);
  expect(await annualReceiptsOf(gift)).toEqual([]);
  const run = (await admin().get(path(body.id))).body;
  expect(run).toMatchObject({ status: 'issued', receipts_issued: run.receipts_planned - 1 });
  await issue((await confirm((await preview()).preview_hash)).body.id);
  expect(await annualReceiptsOf(gift)).toMatchObject([{ amount_cents: 3_500 }]);
});

test.each([
  [{ tax_year: new Date().getUTCFullYear() + 1, dry_run: true }, 'tax_year'],
  [{ tax_year: 'last', dry_run: true }, 'tax_year'],
  [{ tax_year: 2024.5, dry_run: true }, 'tax_year'],
  [{ dry_run: true }, 'tax_year'],
  [{ tax_year: LAST_YEAR }, 'preview_hash'],
  [{ tax_year: LAST_YEAR, preview_hash: 'x' }, 'preview_hash'],
  [{ tax_year: LAST_YEAR, dry_run: true, donor: 'x' }, 'donor'],
])('the body %j is refused, and the answer names %s', async (body, field) => {
  expect(await admin().post(path(), body)).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { [field]: expect.any(Array) } },
  });
});

test('a year that is not over in the zone of the foundation is refused', async () => {
  const [{ year }] = (await asOwner<{ year: number }>(`SELECT app.tax_year('UTC', now()) AS year`)) as [
    { year: number },
  ];
  expect(await admin().post(path(), { tax_year: year, dry_run: true })).toMatchObject({
    status: 400,
    body: { errors: { tax_year: ['This year is not over yet.'] } },
  });
});

test('editors read runs, admins start them, and others do neither', async () => {
  const { results } = (await as(foundation.editor).get(path())).body;
  const [run] = results;
  expect((await as(foundation.editor).get(path(run.id))).body).toEqual(run);
  for (const someone of [foundation.editor, world.admin, world.member])
    expect((await as(someone).post(path(), { tax_year: LAST_YEAR, dry_run: true })).status).toBe(403);
  for (const someone of [world.admin, world.member]) {
    expect((await as(someone).get(path())).status).toBe(403);
    expect((await as(someone).get(path(run.id))).status).toBe(403);
  }
  const foreign = await aFoundation(other);
  await aGift(other.organizationId, foreign, { at: lastYear() });
  const theirs = as(foreign.admin);
  const { preview_hash } = (await theirs.post(path(), { tax_year: LAST_YEAR, dry_run: true })).body;
  const { id } = (await theirs.post(path(), { tax_year: LAST_YEAR, preview_hash })).body;
  await expectNowhere(id, (any) => admin().get(path(any)));
  expect((await admin().get(path())).body.results.map((one: { id: string }) => one.id)).not.toContain(id);
});

test('without a foundation, and without the facts that receipts print, nothing is previewed', async () => {
  const bare = await aWorld({ members: 1 });
  const incomplete = await aFoundation(bare, { ein: null });
  const body = { tax_year: LAST_YEAR, dry_run: true };
  expect(await as(incomplete.admin).post(path(), body)).toMatchObject({
    status: 409,
    body: { code: 'foundation_incomplete' },
  });
});

test('the list is filtered by year and status, and its statements do not depend on the number of runs', async () => {
  const all = (await admin().get(path())).body;
  expect(all.results.map(({ id }: { id: string }) => id)).toEqual(
    all.results
      .map(({ id }: { id: string }) => id)
      .toSorted()
      .toReversed(),
  );
  expect((await admin().get(`${path()}?year=${LAST_YEAR}&status=issued`)).body.count).toBe(all.count);
  expect((await admin().get(`${path()}?year=1999`)).body.count).toBe(0);
  for (const [query, field] of [
    ['year=x', 'year'],
    ['status=x', 'status'],
  ] as const)
    expect(await admin().get(`${path()}?${query}`)).toMatchObject({
      status: 400,
      body: { errors: { [field]: expect.any(Array) } },
    });
  const few = await countStatements(() => admin().get(path()));
  await giftOf();
  await issue((await confirm((await preview()).preview_hash)).body.id);
  expect(await countStatements(() => admin().get(path()))).toBe(few);
  expect((await admin().get(path())).body.count).toBe(all.count + 1);
});
