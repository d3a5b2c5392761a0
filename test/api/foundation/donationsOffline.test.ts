import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation, insertRow } from '../../support/foundation.js';
import { aPaidGift, giftOf } from '../../support/giving.js';
import { receiptsOf } from '../../support/gifts.js';
import { asOwner } from '../../support/owner.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { countStatements } from '../../support/statements.js';

const { world, other, as } = apiWorld();
let foundation: Foundation;
let theirs: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world, { timezone: 'America/New_York' });
  theirs = await aFoundation(other);
});
afterAll(() => expectSoundLedger());

const path = '/api/foundation/donations/offline/';
let keys = 0;
const aGift = (more: Record<string, unknown> = {}) => ({
  email: 'grace@example.org',
  first_name: 'Grace',
  last_name: 'Hopper',
  amount_cents: 25_000,
  received_on: '2026-03-04',
  method: 'check',
  fund: foundation.fundId,
  send_receipt: true,
  idempotency_key: `offline-${(keys += 1)}`,
  ...more,
});
const record = (more: Record<string, unknown> = {}, person = foundation.editor) => as(person).post(path, aGift(more));
const refund = (id: string) =>
  as(foundation.admin).post(`/api/foundation/donations/${id}/refund/`, { reason: 'Sent by mistake.' });
const rowsOf = async () => (await asOwner('SELECT id FROM donations')).length;

test('an editor records a check: completed at once, without a fee, in the year of its day', async () => {
  const { status, body } = await record({ received_on: '2025-12-31', campaign: foundation.campaignId });
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      status: 'completed',
      method: 'check',
      received_on: '2025-12-31',
      amount_cents: 25_000,
      fee_cents: 0,
      net_cents: 25_000,
      tax_year: 2025,
      campaign: foundation.campaignId,
      fund: foundation.fundId,
      is_anonymous: true,
      entries: [{ kind: 'received', amount_cents: 25_000, moved_at: '2025-12-31T05:00:00.000Z' }],
    }),
  ]);
  const [receipt] = await receiptsOf({ donationId: body.id });
  expect(receipt).toMatchObject({
    number: '2025-000001',
    mail_status: 'waiting',
    printed: {
      given_on: '2025-12-31',
      method: 'check',
      campaign: 'Spring appeal',
      fund: null,
      donor_name: 'Grace Hopper',
    },
  });
});

test('a gift for no campaign counts for its fund and prints the fund', async () => {
  const before = await aPaidGift(world, foundation);
  const { fund_cents, raised_cents } = await giftOf(before);
  const { body } = await record({ amount_cents: 1_000, method: 'cash' });
  expect(body.campaign).toBeNull();
  expect(await giftOf(before)).toMatchObject({ fund_cents: (fund_cents as number) + 1_000, raised_cents });
  const [receipt] = await receiptsOf({ donationId: body.id });
  expect(receipt?.printed).toMatchObject({ campaign: null, fund: 'General fund' });
});

test('a known donor keeps the stored name, and the gift has the name given with it', async () => {
  const email = 'known@example.org';
  const first = (await record({ email, first_name: 'Anna', last_name: 'Blum' })).body;
  const second = (await record({ email, first_name: 'A.', last_name: 'Blum' })).body;
  expect(second).toMatchObject({ donor: first.donor, first_name: 'A.' });
  expect((await as(foundation.admin).get(`/api/foundation/donors/${first.donor}/`)).body).toMatchObject({
    email,
    first_name: 'Anna',
    total_cents: 50_000,
    gift_count: 2,
  });
});

test('ten requests with one key record one gift, and another body is refused', async () => {
  const gift = aGift({ email: 'ten@example.org' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => as(foundation.editor).post(path, gift)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await as(foundation.editor).post(path, { ...gift, amount_cents: 1 })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_mismatch' },
  });
});

test('a donor-advised fund gets no receipt', async () => {
  const { body } = await record({ method: 'donor_advised_fund' });
  expect(body.status).toBe('completed');
  expect(await receiptsOf({ donationId: body.id })).toEqual([]);
  expect((await refund(body.id)).body).toMatchObject({ donation: { status: 'refunded' } });
  expect(await receiptsOf({ donationId: body.id })).toEqual([]);
});

test('without send_receipt the receipt is issued and not mailed, until an admin mails it', async () => {
  const { body } = await record({ send_receipt: false });
  const [receipt] = await receiptsOf({ donationId: body.id });
  expect(receipt).toMatchObject({ status: 'valid', mail_status: 'not_requested' });
  expect(await asOwner("SELECT id FROM outbox WHERE workflow_id = 'donation-receipt/' || $1", [receipt?.id])).toEqual(
    [],
  );
  expect(await as(foundation.admin).post(`/api/foundation/receipts/${receipt?.id}/resend/`)).toMatchObject({
    status: 200,
    body: { mail_status: 'waiting' },
  });
});

test('a refund is recorded at once, without a provider, and only once', async () => {
  const { body } = await record({ email: 'refunded@example.org', campaign: foundation.campaignId });
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund(body.id)));
  const [done, ...refused] = answers.toSorted((a, b) => a.status - b.status);
  expect(done).toMatchObject({
    status: 201,
    body: {
      donation: { status: 'refunded', refunded_cents: 25_000, fee_cents: 0 },
      refund: { id: expect.any(String), status: 'succeeded', failure_code: null },
    },
  });
  for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'already_refunded' } });
  expect(await giftOf(body.id)).toMatchObject({
    donor_cents: 0,
    gift_count: 0,
    entries: [
      ['received', 25_000],
      ['returned', 25_000],
    ],
  });
  expect(await receiptsOf({ donationId: body.id })).toMatchObject([{ status: 'void' }]);
  expect(await asOwner('SELECT id FROM capture_resolutions')).toEqual([]);
  const log = await asOwner(
    "SELECT actor_user_id FROM audit_log WHERE subject_id = $1 AND action = 'donation.returned'",
    [body.id],
  );
  expect(log).toEqual([{ actor_user_id: foundation.admin.userId }]);
});

test.each([
  ['amount_cents', 0],
  ['amount_cents', -1],
  ['amount_cents', 1.5],
  ['amount_cents', '100'],
  ['amount_cents', 2 ** 53],
  ['amount_cents', 100_000_000_000],
  ['received_on', '2100-01-01'],
  ['received_on', '2026-02-30'],
  ['received_on', '0001-01-01'],
  ['method', 'card'],
  ['method', 'gold'],
  ['fund', 'x'],
  ['fund', '01890000-0000-7000-8000-000000000000'],
  ['campaign', '01890000-0000-7000-8000-000000000000'],
  ['send_receipt', 'yes'],
  ['idempotency_key', undefined],
  ['idempotency_key', 'two words'],
  ['email', 'nobody'],
  ['first_name', 'two\nlines'],
  ['fee_cents', 0],
])('a body with %s %p is refused and leaves no row', async (field, value) => {
  const before = await rowsOf();
  expect(await record({ [field]: value })).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { [field]: expect.any(Array) } },
  });
  expect(await rowsOf()).toBe(before);
});

test('the first day to come is that of the foundation, not that of UTC', async () => {
  const [days] = await asOwner<{ today: string; next: string }>(
    "SELECT (now() AT TIME ZONE 'America/New_York')::date::text AS today, ((now() AT TIME ZONE 'America/New_York')::date + 1)::text AS next",
  );
  expect((await record({ received_on: days?.today })).status).toBe(201);
  expect(await record({ received_on: days?.next })).toMatchObject({
    status: 400,
    body: { errors: { received_on: ['Must not be in the future.'] } },
  });
});

test('drafts, inactive funds and those of another foundation are refused', async () => {
  const tenant = { organization_id: world.organizationId };
  const inactive = await insertRow('funds', { ...tenant, name: 'Closed fund', is_active: false });
  const draft = await insertRow('campaigns', {
    ...tenant,
    fund_id: foundation.fundId,
    title: 'Draft',
    slug: 'a-draft',
    suggested_amounts: [2500],
  });
  for (const [field, id] of [
    ['fund', inactive],
    ['fund', theirs.fundId],
    ['campaign', draft],
    ['campaign', theirs.campaignId],
  ] as const)
    expect(await record({ [field]: id })).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    });
});

test('a foundation without legal name, EIN and address records donor-advised funds only', async () => {
  const facts = 'legal_name, ein, mailing_address';
  const [kept] = await asOwner<Record<string, unknown>>(`SELECT ${facts} FROM foundation_configs WHERE id = $1`, [
    foundation.foundationId,
  ]);
  await asOwner(`UPDATE foundation_configs SET (${facts}) = (NULL, NULL, NULL) WHERE id = $1`, [
    foundation.foundationId,
  ]);
  expect(await record()).toMatchObject({
    status: 409,
    body: { code: 'foundation_incomplete', errors: { ein: [expect.any(String)] } },
  });
  expect((await record({ method: 'donor_advised_fund' })).status).toBe(201);
  await asOwner(`UPDATE foundation_configs SET (${facts}) = ($2, $3, $4) WHERE id = $1`, [
    foundation.foundationId,
    ...Object.values(kept as object),
  ]);
});

test('what receipts print stays once a gift is recorded, though no campaign was published', async () => {
  await asOwner("UPDATE campaigns SET status = 'draft', published_at = NULL WHERE id = $1", [theirs.campaignId]);
  await as(theirs.editor).post(path, aGift({ fund: theirs.fundId }));
  expect(await as(theirs.admin).patch('/api/foundation/config/', { ein: null })).toMatchObject({
    status: 409,
    body: { code: 'foundation_incomplete' },
  });
});

test('people without a role in the foundation record no gifts, and editors refund none', async () => {
  for (const person of [world.admin, world.officer, world.member]) expect((await record({}, person)).status).toBe(403);
  const { body } = await record();
  expect(
    await as(foundation.editor).post(`/api/foundation/donations/${body.id}/refund/`, { reason: 'Because.' }),
  ).toMatchObject({ status: 403 });
});

test('an entry without a charge belongs to an offline gift, and no other entry does', async () => {
  const paid = await aPaidGift(world, foundation);
  const { body } = await record();
  const [{ capture_id }] = (await asOwner('SELECT capture_id FROM donation_entries WHERE donation_id = $1', [
    paid,
  ])) as [{ capture_id: string }];
  const add = (donationId: string, captureId: string | null) =>
    insertRow('donation_entries', {
      organization_id: world.organizationId,
      donation_id: donationId,
      kind: 'returned',
      amount_cents: 1,
      capture_id: captureId,
      moved_at: new Date(),
    });
  await expect(add(paid, null)).rejects.toThrow('only an entry of an offline gift has no charge');
  await expect(add(body.id, capture_id)).rejects.toThrow('only an entry of an offline gift has no charge');
});

test('recording a gift takes a fixed number of statements', async () => {
  const few = await countStatements(() => record({ email: 'first@example.org' }));
  expect(await countStatements(() => record({ email: 'second@example.org' }))).toBe(few);
  expect(few).toBeLessThanOrEqual(19);
});
