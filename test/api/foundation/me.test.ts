/** The own gifts, receipts and pledges of members whose account is linked to a donor. */
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aGift, receiptsOf } from '../../support/gifts.js';
import { asOwner } from '../../support/owner.js';
import { aPledge, pledgeRow } from '../../support/pledges.js';

const { world, as } = apiWorld();
const path = (below = '') => `/api/foundation/me/${below}`;
let foundation: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
});
beforeEach(() => asOwner('UPDATE donors SET user_id = NULL'));

const link = (donorId: string, userId = world.member.userId) =>
  asOwner('UPDATE donors SET user_id = $2 WHERE id = $1', [donorId, userId]);
const mine = () => as(world.member);

test('a member sees the gifts and receipts of all own donors, and of nobody else', async () => {
  const [one, second, foreign] = [
    await aGift(world.organizationId, foundation, { at: '2026-03-04T12:00:00Z' }),
    await aGift(world.organizationId, foundation, { at: '2026-03-05T12:00:00Z', cents: 7_000 }),
    await aGift(world.organizationId, foundation, { at: '2026-03-06T12:00:00Z' }),
  ];
  for (const { donorId } of [one, second]) await link(donorId);
  expect((await mine().get(path())).body).toMatchObject([{ email: one.email }, { email: second.email }]);
  expect((await mine().get(path('donations/'))).body).toMatchObject({
    count: 2,
    results: [
      { id: second.donationId, amount_cents: 7_000, given_on: '2026-03-05', purpose: 'Spring appeal' },
      { id: one.donationId, status: 'completed' },
    ],
  });
  const { body } = await mine().get(path('receipts/'));
  expect(body.results).toMatchObject([{ amount_cents: 7_000, is_annual: false }, { tax_year: 2026 }]);
  const pdf = await mine().get(new URL(body.results[0].pdf_url).pathname);
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  const [theirs] = await receiptsOf(foreign);
  expect(await mine().get(path(`receipts/${theirs?.id}/pdf/`))).toMatchObject({ status: 404 });
});

test('a member without a gift sees empty lists, and has nothing to change', async () => {
  expect((await mine().get(path())).body).toEqual([]);
  expect((await mine().get(path('pledges/'))).body).toEqual([]);
  expect((await mine().get(path('donations/'))).body).toMatchObject({ count: 0, results: [] });
  expect(await mine().patch(path(), { first_name: 'Grace' })).toMatchObject({ status: 404 });
});

test('a member changes the name and the anonymity of future gifts', async () => {
  const { donorId } = await aGift(world.organizationId, foundation, {});
  await link(donorId);
  expect(await mine().patch(path(), { is_anonymous: true })).toMatchObject({
    status: 200,
    body: [{ first_name: 'Dana', is_anonymous: true }],
  });
  expect((await mine().patch(path(), { first_name: 'Grace' })).body).toMatchObject([
    { first_name: 'Grace', last_name: 'Reyes', is_anonymous: true },
  ]);
  expect(await mine().patch(path(), { email: 'else@example.org' })).toMatchObject({
    status: 400,
    body: { errors: { email: [expect.any(String)] } },
  });
  await asOwner('UPDATE donors SET name_corrected_at = now() WHERE id = $1', [donorId]);
  expect(await mine().patch(path(), { first_name: 'Dana' })).toMatchObject({
    status: 409,
    body: { code: 'donor_name_corrected' },
  });
});

test('a member pauses, resumes and cancels an own pledge, and none of another donor', async () => {
  const [own, foreign] = [await aPledge(world, foundation), await aPledge(world, foundation)];
  await link(own.donor_id);
  const move = (what: string, body = {}, { id } = own) => mine().post(path(`pledges/${id}/${what}/`), body);
  expect((await mine().get(path('pledges/'))).body).toEqual([
    {
      id: own.id,
      status: 'active',
      amount_cents: 5_000,
      currency: 'usd',
      interval: 'monthly',
      campaign: 'Spring appeal',
      next_due_on: expect.any(String),
      cancelled_on: null,
      has_open_period: false,
    },
  ]);
  expect(await move('pause', { resume_on: '2020-01-01' })).toMatchObject({
    status: 400,
    body: { errors: { resume_on: ['Must not be past.'] } },
  });
  expect(await move('pause')).toMatchObject({ status: 200, body: { status: 'paused', next_due_on: null } });
  expect(await move('resume')).toMatchObject({ status: 200, body: { status: 'active' } });
  expect(await move('card')).toMatchObject({ status: 409, body: { code: 'invalid_pledge_transition' } });
  const change = (amount_cents: unknown, { id } = own) => mine().patch(path(`pledges/${id}/`), { amount_cents });
  expect(await change(7_500)).toMatchObject({ status: 200, body: { amount_cents: 7_500 } });
  for (const wrong of [0, 99, 2_500_001, '5000', 50.5])
    expect(await change(wrong)).toMatchObject({
      status: 400,
      body: { errors: { amount_cents: [expect.any(String)] } },
    });
  expect((await change(7_500, foreign)).status).toBe(404);
  for (const what of ['pause', 'resume', 'cancel', 'card'])
    expect([what, (await move(what, {}, foreign)).status]).toEqual([what, 404]);
  expect(await move('cancel', { reason: 'Moving away' })).toMatchObject({
    status: 200,
    body: { status: 'cancelled', charge_in_flight: false },
  });
  expect(await change(8_000)).toMatchObject({ status: 409, body: { code: 'invalid_pledge_transition' } });
  expect(await pledgeRow(own.id)).toMatchObject({ cancelled_by: 'donor', cancel_reason: 'Moving away' });
  expect(await pledgeRow(foreign.id)).toMatchObject({ status: 'active' });
});
