import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { readPublicGift } from '../../../models/foundation/donations/readGift.js';
import { declineGift } from '../../../models/foundation/donations/followCaptures.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { eventually } from '../../support/eventually.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift, campaignPath, give, giftOf } from '../../support/giving.js';
import { asOwner } from '../../support/owner.js';
import { countStatements, listStatements } from '../../support/statements.js';

// No worker opens pages here: a gift is recorded and its page requested, and the donor is told to try again.
config.PAY_WAIT_SECONDS = 0.01;

const { api, world, other, as } = apiWorld();
let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});

const anonymous = () => new Client(api.url);
const path = () => campaignPath(foundation);
const donate = (more: Record<string, unknown> = {}) => give(api.url, foundation, more);
const setCampaign = (columns: string) =>
  asOwner(`UPDATE campaigns SET ${columns} WHERE id = $1`, [foundation.campaignId]);
const giftsOf = (email: string) =>
  asOwner<{ id: string; donor_id: string; amount_cents: number; fee_cents: number; net_cents: number }>(
    `SELECT d.id, d.donor_id, d.amount_cents::int, d.fee_cents::int, d.net_cents::int, a.page_done_url, a.page_cancel_url
       FROM donations d JOIN donors o ON o.id = d.donor_id JOIN payment_attempts a ON a.donation_id = d.id WHERE o.email = $1 ORDER BY d.id`,
    [email],
  );
let counter = 0;
const anAddress = () => `giver${(counter += 1)}@example.org`;
const countGifts = async () => (await asOwner<{ n: number }>('SELECT count(*)::int AS n FROM donations'))[0]?.n;

/** Sends a gift that waits for its page. @returns its address */
async function aWaitingGift(more: Record<string, unknown> = {}): Promise<string> {
  const email = anAddress();
  expect(await donate({ email, ...more })).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  return email;
}

describe('the page of a campaign', () => {
  test('is read from the database at most once within the time of its cache, and shows a change after it', async () => {
    config.CAMPAIGN_CACHE_MS = 2_500;
    const titleOf = async () => (await anonymous().get(path())).body.title;
    const title = await titleOf();
    await setCampaign(`title = 'Autumn appeal'`);
    expect(await countStatements(async () => expect(await titleOf()).toBe(title))).toBe(0);
    await eventually(titleOf, (shown) => shown === 'Autumn appeal');
    await setCampaign(`title = '${title}'`);
    config.CAMPAIGN_CACHE_MS = 0;
    expect(await titleOf()).toBe(title);
  });

  test('anybody reads a public campaign, with an ETag', async () => {
    const answer = await anonymous().get(path());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        title: 'Spring appeal',
        foundation_name: 'Alpha Foundation',
        payment_provider: 'stripe',
        publishable_key: 'pk_test_gifts',
        fee_rate: '0.029',
        fee_fixed_cents: 30,
        fee_pass_through: true,
        currency: 'usd',
        suggested_amounts: [2500, 5000, 10_000],
        min_amount_cents: 100,
        max_amount_cents: 2_500_000,
        raised_cents: 0,
        accepts_donations: true,
        accepts_recurring: true,
      },
    });
    const again = await fetch(api.url + path(), { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  test('drafts, internal and unknown campaigns and suspended organizations are one 404', async () => {
    const asked = async (at: Pick<Foundation, 'foundationId' | 'slug'>) => {
      const [read, donors, given] = [
        await anonymous().get(campaignPath(at)),
        await anonymous().get(`${campaignPath(at)}donors/`),
        await give(api.url, at),
      ];
      return [read, donors, given].map(({ status, body }) => [status, body]);
    };
    const unknown = await asked({ foundationId: foundation.foundationId, slug: 'nothing-here' });
    expect(unknown.map(([status]) => status)).toEqual([404, 404, 404]);
    await setCampaign(`visibility = 'internal'`);
    expect(await asked(foundation)).toEqual(unknown);
    await setCampaign(`visibility = 'public'`);
    expect(await asked({ foundationId: randomUUID(), slug: foundation.slug })).toEqual(unknown);
    expect(await asked({ foundationId: foreign.foundationId, slug: foundation.slug })).toEqual(unknown);
    await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [other.organizationId]);
    expect(await asked(foreign)).toEqual(unknown);
    await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [other.organizationId]);
  });

  test('outside of its dates, closed or without an account a campaign accepts nothing', async () => {
    for (const [closed, open] of [
      ['starts_on = current_date + 2', 'starts_on = NULL'],
      ['ends_on = current_date - 2', 'ends_on = NULL'],
      [`status = 'closed', closed_at = now()`, `status = 'active', closed_at = NULL`],
    ] as const) {
      await setCampaign(closed);
      expect(await donate()).toMatchObject({ status: 409, body: { code: 'campaign_not_open' } });
      expect((await anonymous().get(path())).body.accepts_donations).toBe(false);
      await setCampaign(open);
    }
    const account = (at: string) =>
      asOwner(`UPDATE org_payment_processors SET disabled_at = ${at} WHERE id = $1`, [foundation.processorId]);
    await account('now()');
    expect(await donate()).toMatchObject({ status: 409, body: { code: 'campaign_not_open' } });
    await account('NULL');
  });

  test('members give to internal campaigns, and nobody else finds them', async () => {
    await setCampaign(`visibility = 'internal'`);
    const at = `/api/foundation/internal/campaigns/${foundation.slug}/`;
    expect(await as(world.member).get(at)).toMatchObject({ status: 200, body: { title: 'Spring appeal' } });
    expect((await as(other.member).get(at)).status).toBe(404);
    expect((await anonymous().get(at)).status).toBe(401);
    const email = anAddress();
    const given = { amount_cents: 5_000, email, first_name: 'Ada', last_name: 'Lovelace' };
    expect(await as(world.member).post(`${at}donate/`, given)).toMatchObject({ status: 503 });
    expect(await giftsOf(email)).toHaveLength(1);
    await setCampaign(`visibility = 'public'`);
    expect((await as(world.member).get(at)).status).toBe(404);
  });
});

describe('a gift', () => {
  test('is recorded before its page opens, with fee and addresses', async () => {
    const email = await aWaitingGift({ amount_cents: 10_000 });
    const [gift] = await giftsOf(email);
    expect(gift).toMatchObject({
      amount_cents: 10_000,
      fee_cents: 320,
      net_cents: 9_680,
      page_done_url: `${config.givingUrl}/donation-success/?donation_id=${gift?.id}`,
      page_cancel_url: `${config.givingUrl}/donate/${foundation.foundationId}/${foundation.slug}`,
    });
    expect(
      await asOwner('SELECT process FROM outbox WHERE input->>$1 IS NOT NULL ORDER BY id DESC LIMIT 1', ['attemptId']),
    ).toEqual([{ process: 'donationPage' }]);
    expect((await anonymous().get(`/api/foundation/public/donations/${gift?.id}/`)).body).toEqual({
      id: gift?.id,
      status: 'pending',
      under_review: false,
      amount_cents: 10_000,
      refunded_cents: 0,
      currency: 'usd',
      campaign: { slug: foundation.slug, title: 'Spring appeal' },
      receipt: { status: 'none', number: null },
    });
    expect((await anonymous().get(`/api/foundation/public/donations/${randomUUID()}/`)).status).toBe(404);
  });

  test('of a donor who covers the fee has exactly the right amount', async () => {
    const covering = { covers_fees: true, base_amount_cents: 5_000 };
    const email = await aWaitingGift({ ...covering, amount_cents: 5_181 });
    expect(await giftsOf(email)).toMatchObject([{ amount_cents: 5_181, fee_cents: 181, net_cents: 5_000 }]);
    for (const amount_cents of [5_180, 5_182, 5_000])
      expect(await donate({ ...covering, amount_cents })).toMatchObject({
        status: 400,
        body: { code: 'fee_cover_mismatch', errors: { amount_cents: [expect.stringContaining('5181')] } },
      });
    const passing = (on: boolean) =>
      asOwner('UPDATE foundation_payment_processors SET fee_pass_through = $2 WHERE foundation_id = $1', [
        foundation.foundationId,
        on,
      ]);
    await passing(false);
    expect(await donate({ ...covering, amount_cents: 5_181 })).toMatchObject({
      status: 400,
      body: { code: 'fee_pass_through_off' },
    });
    await passing(true);
  });

  const long = 'x'.repeat(101);
  test.each([
    ['amount_cents', { amount_cents: 0 }],
    ['amount_cents', { amount_cents: -5 }],
    ['amount_cents', { amount_cents: 10.5 }],
    ['amount_cents', { amount_cents: '5000' }],
    ['amount_cents', { amount_cents: 2 ** 53 }],
    ['amount_cents', { amount_cents: 99 }],
    ['amount_cents', { amount_cents: 2_500_001 }],
    ['recurring_interval', { is_recurring: true }],
    ['recurring_interval', { recurring_interval: 'monthly' }],
    ['recurring_interval', { is_recurring: true, recurring_interval: 'daily' }],
    ['base_amount_cents', { covers_fees: true }],
    ['base_amount_cents', { base_amount_cents: 5_000 }],
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@example.org\r\nBcc: b@example.org' }],
    ['first_name', { first_name: ' ' }],
    ['last_name', { last_name: long }],
    ['idempotency_key', { idempotency_key: 'with space' }],
    ['surprise', { surprise: true }],
  ])('with a wrong %s is refused, and leaves no row', async (field, more) => {
    const before = await countGifts();
    const answer = await donate(more);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(Object.keys(answer.body.errors)).toContain(field);
    expect(await countGifts()).toBe(before);
  });

  test('of which nothing would remain after the fee is refused', async () => {
    await asOwner('UPDATE foundation_configs SET min_amount_cents = 1 WHERE id = $1', [foundation.foundationId]);
    config.DONATION_FEE_FIXED_CENTS = 60;
    expect(await donate({ amount_cents: 60 })).toMatchObject({
      status: 400,
      body: { errors: { amount_cents: [expect.any(String)] } },
    });
    // The provider charges no less.
    expect(await donate({ amount_cents: 49 })).toMatchObject({
      status: 400,
      body: { errors: { amount_cents: ['Must be at least 50.'] } },
    });
    config.DONATION_FEE_FIXED_CENTS = 30;
    await asOwner('UPDATE foundation_configs SET min_amount_cents = 100 WHERE id = $1', [foundation.foundationId]);
  });

  test('takes at most 8 statements', async () => {
    const answers: unknown[] = [];
    const statements = await listStatements(async () => answers.push(await donate()));
    expect(answers).toMatchObject([{ status: 503 }]);
    // After the commit, the request hands the gift to its process and reads its state while it waits.
    const recording = statements.findIndex((text) => /\bCOMMIT$/.test(text)) + 1;
    expect(recording).toBeGreaterThan(0);
    expect(recording).toBeLessThanOrEqual(8);
    expect(statements.length).toBeLessThanOrEqual(13);
  });
});

describe('an idempotency key', () => {
  test('of ten gifts at once is that of one gift', async () => {
    const body = { email: anAddress(), idempotency_key: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => donate(body)));
    expect(new Set(answers.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(
      new Set(['503 unavailable']),
    );
    expect(await giftsOf(body.email)).toHaveLength(1);
    expect(await donate({ ...body, amount_cents: 6_000 })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect(await donate({ ...body, email: anAddress() })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    await setCampaign(`status = 'closed', closed_at = now()`);
    expect((await donate(body)).status).toBe(503);
    await setCampaign(`status = 'active', closed_at = NULL`);
    expect(await giftsOf(body.email)).toHaveLength(1);
  });
});

describe('a donor', () => {
  test('is shown by first name and initial, or as anonymous, newest gift first', async () => {
    const shown = async () => (await anonymous().get(`${path()}donors/`)).body;
    await aPaidGift(world, foundation);
    await aPaidGift(world, foundation, { first_name: 'Grace', last_name: 'Hopper', is_anonymous: true });
    expect(await shown()).toEqual([{ name: 'Anonymous' }, { name: 'Ada L.' }]);
  });

  const donorOf = (email: string) =>
    asOwner('SELECT first_name, last_name, phone, user_id FROM donors WHERE email = $1 AND organization_id = $2', [
      email,
      world.organizationId,
    ]);

  test('has one row, however many first gifts come at once', async () => {
    config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, donate_email: 100 };
    const email = anAddress();
    const keys = Array.from({ length: 50 }, (_, n) => `first-${n}`);
    // A busy API refuses some of them before they are stored. A client sends those again, with the same key.
    for (let sent = 0; sent < 5 && (await giftsOf(email)).length < keys.length; sent += 1)
      await Promise.all(keys.map((idempotency_key) => donate({ email, idempotency_key })));
    config.THROTTLE_LIMITS = {};
    const gifts = await giftsOf(email);
    expect(gifts).toHaveLength(keys.length);
    expect(new Set(gifts.map(({ donor_id }) => donor_id)).size).toBe(1);
  });

  test('keeps the name and contact of the first gift', async () => {
    const email = await aWaitingGift({ first_name: 'Grace', last_name: 'Hopper', phone: '555' });
    await donate({ email: email.toUpperCase(), first_name: 'Other', last_name: 'Name', phone: '666' });
    expect(await donorOf(email)).toEqual([{ first_name: 'Grace', last_name: 'Hopper', phone: '555', user_id: null }]);
    expect(await giftsOf(email)).toHaveLength(2);
  });

  test('is linked to an account by a verified address of somebody here only', async () => {
    const verified = (person: { userId: string; email: string }) =>
      asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true) ON CONFLICT DO NOTHING', [
        person.userId,
        person.email,
      ]);
    for (const person of [world.member, other.member]) await verified(person);
    for (const { email } of [world.member, world.officer, other.member]) await donate({ email });
    expect(await donorOf(world.member.email)).toMatchObject([{ user_id: world.member.userId }]);
    expect(await donorOf(world.officer.email)).toMatchObject([{ user_id: null }]);
    expect(await donorOf(other.member.email)).toMatchObject([{ user_id: null }]);
    await verified(world.officer);
    await donate({ email: world.officer.email });
    expect(await donorOf(world.officer.email)).toMatchObject([{ user_id: world.officer.userId }]);
  });

  test('gives ten times an hour at most', async () => {
    const email = anAddress();
    for (let n = 0; n < 10; n += 1) expect((await donate({ email })).status).toBe(503);
    expect(await donate({ email, amount_cents: 1 })).toMatchObject({ status: 400 });
    expect(await donate({ email })).toMatchObject({ status: 429, body: { code: 'throttled' } });
    expect(await giftsOf(email)).toHaveLength(10);
  });

  test('with more than five declined payments has to wait, and so has a network with more than thirty', async () => {
    const email = await aWaitingGift();
    const decline = async (address: string, times: number) => {
      const [gift] = await giftsOf(address);
      const donationId = gift?.id as string;
      for (let n = 0; n < times; n += 1)
        await inTenant(world.organizationId, () => declineGift({ donationId, failureCode: 'card_declined' }));
      return donationId;
    };
    const donationId = await decline(email, 5);
    expect(await giftOf(donationId)).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
      keeps_network: true,
    });
    expect((await donate({ email })).status).toBe(503);
    await decline(email, 1);
    expect(await donate({ email })).toMatchObject({ status: 429, body: { code: 'too_many_failed_payments' } });
    expect((await donate()).status).toBe(503);
    await decline(await aWaitingGift(), 25);
    expect(await donate()).toMatchObject({ status: 429, body: { code: 'too_many_failed_payments' } });
    expect((await inTenant(world.organizationId, () => readPublicGift(donationId))).status).toBe('failed');
    await asOwner(`DELETE FROM throttles WHERE scope LIKE 'declined%'`);
  });
});
