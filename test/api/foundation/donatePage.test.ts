/** The served form for gifts, as any HTTP client sees it; `test/browser/givingPages.test.ts` opens it in Chromium. */
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { startApi } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift } from '../../support/giving.js';
import { donatePath, offersIn, openPage, sendForm, type ServedPage, valueIn } from '../../support/givingPage.js';
import { asOwner } from '../../support/owner.js';
import { hostileFor } from '../../tenancy/hostileValues.js';

// No worker opens pages here: a gift is recorded, and the donor is told to try again.
config.PAY_WAIT_SECONDS = 0.01;

const { api, world, other } = apiWorld();
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});

const url = (at: Pick<Foundation, 'foundationId' | 'slug'> = foundation) => api.url + donatePath(at);
const open = (more = '') => openPage(url() + more);
let counter = 0;
const aForm = (more: Record<string, string> = {}): Record<string, string> => ({
  amount: '5000',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `reader${(counter += 1)}@example.org`,
  idempotency_key: randomUUID(),
  ...more,
});
const send = (fields: Record<string, string>, headers: Record<string, string> = {}) => sendForm(url(), fields, headers);
const setCampaign = (columns: string, values: unknown[] = []) =>
  asOwner(`UPDATE campaigns SET ${columns} WHERE id = $1`, [foundation.campaignId, ...values]);
const giftsOf = (email: string) =>
  asOwner<{ id: string; amount_cents: number; fee_cents: number }>(
    `SELECT d.id, d.amount_cents::int, d.fee_cents::int, d.base_amount_cents::int, d.is_anonymous, o.phone, o.address
       FROM donations d JOIN donors o ON o.id = d.donor_id WHERE o.email = $1 ORDER BY d.id`,
    [email],
  );
const countGifts = async () => (await asOwner<{ n: number }>('SELECT count(*)::int AS n FROM donations'))[0]?.n;

/** Expects every field of the form to be on the page, as it was typed. */
function expectTyped(page: ServedPage, form: Record<string, string>): void {
  const {
    pay: _,
    idempotency_key: __,
    ...typed
  } = Object.fromEntries(Object.entries(form).filter(([, value]) => value));
  expect(Object.fromEntries(Object.keys(typed).map((name) => [name, valueIn(page, name)]))).toEqual(typed);
}

describe('the page of a campaign', () => {
  test('shows its texts, amounts and fees, and a form with a key of its own, and loads nothing', async () => {
    const page = await open();
    expect(page.status).toBe(200);
    for (const text of [
      'Spring appeal – Alpha Foundation',
      '<p>Help us.</p>',
      'Raised so far: $0.00',
      '$25.00',
      'fee $1.03',
      '$51.81 if you cover the fee',
      '2.9% plus $0.30',
    ])
      expect(page.html).toContain(text);
    const { headers, html } = page;
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    // With no-referrer, a browser would send the form with `Origin: null`.
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/<script|<img|<link|src=|https?:/);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('<html lang="en">');
    expect(valueIn(page, 'idempotency_key')).not.toBe(valueIn(await open(), 'idempotency_key'));
  });

  test('ignores the parameters of a link, and does not repeat them', async () => {
    const page = await open(`?utm_source=mail&fbclid=${encodeURIComponent(EVIL)}&amount=1&amount=2`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('onerror');
  });

  test('says that a campaign which is not open accepts no gifts, and shows no form', async () => {
    for (const [closed, opened] of [
      ['starts_on = current_date + 2', 'starts_on = NULL'],
      [`status = 'closed', closed_at = now()`, `status = 'active', closed_at = NULL`],
    ] as const) {
      await setCampaign(closed);
      const page = await open();
      expect(page).toMatchObject({ status: 200, html: expect.stringContaining('does not accept gifts at the moment') });
      expect(page.html).not.toContain('<form');
      // A donor who has the form open loses nothing.
      const form = aForm({ pay: '5000' });
      const sent = await send(form);
      expect(sent).toMatchObject({ status: 409, html: expect.stringContaining('does not accept gifts') });
      expectTyped(sent, { ...form });
      expect((await send(aForm())).status).toBe(409);
      await setCampaign(opened);
    }
  });

  test('is one 404 page for drafts, internal and unknown campaigns, wrong ids and suspended organizations', async () => {
    const shown = async (at: Pick<Foundation, 'foundationId' | 'slug'>) => {
      const pages = [await openPage(url(at)), await sendForm(url(at), aForm({ pay: '5000' }))];
      return pages.map(({ status, html }) => [status, html]);
    };
    const unknown = await shown({ foundationId: foundation.foundationId, slug: 'nothing-here' });
    expect(unknown.map(([status]) => status)).toEqual([404, 404]);
    expect(unknown[0]).toEqual(unknown[1]);
    for (const [hidden, shownAgain] of [
      [`visibility = 'internal'`, `visibility = 'public'`],
      [`status = 'draft', published_at = NULL`, `status = 'active', published_at = now()`],
    ] as const) {
      await setCampaign(hidden);
      expect(await shown(foundation)).toEqual(unknown);
      await setCampaign(shownAgain);
    }
    expect(await shown({ foundationId: randomUUID(), slug: foundation.slug })).toEqual(unknown);
    expect(await shown({ foundationId: 'not-an-id', slug: EVIL.replaceAll('/', '') })).toEqual(unknown);
    expect(await shown({ ...foreign, foundationId: foundation.foundationId })).toEqual(unknown);
    await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [other.organizationId]);
    expect(await shown(foreign)).toEqual(unknown);
    await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [other.organizationId]);
  });

  test('runs no markup of titles, names and goods', async () => {
    await setCampaign('title = $2, goods_description = $2, goods_value_cents = 100', [EVIL.slice(0, 200)]);
    await asOwner('UPDATE foundation_configs SET name = $2 WHERE id = $1', [foundation.foundationId, EVIL]);
    const form = aForm({ first_name: EVIL, phone: EVIL, address: `${EVIL}\n</textarea>`, other_amount: EVIL });
    for (const page of [await open(), await send(form), await send(aForm({ first_name: EVIL, address: EVIL }))]) {
      expect(page.html).not.toMatch(/<img|<script/);
      expect(page.html).toContain('&#60;img');
    }
    expectTyped(await send(form), form);
    await setCampaign(`title = 'Spring appeal', goods_description = NULL, goods_value_cents = NULL`);
    await asOwner(`UPDATE foundation_configs SET name = 'Alpha Foundation' WHERE id = $1`, [foundation.foundationId]);
  });
});

describe('the review', () => {
  test('names the exact amount of each way to pay, its fee, and what the foundation receives', async () => {
    const form = aForm({ phone: '555', address: 'Main Street 1\nSpringfield', is_anonymous: 'yes' });
    const page = await send(form);
    expect(page.status).toBe(200);
    expect(offersIn(page)).toEqual(['5000', '5181']);
    for (const text of [
      'You pay $50.00. The fee of $1.75 is taken from it. Alpha Foundation receives $48.25.',
      'You pay $51.81. You cover the fee of $1.81. Alpha Foundation receives $50.00.',
    ])
      expect(page.html).toContain(text);
    expectTyped(page, form);
    expect(valueIn(page, 'idempotency_key')).toBe(form['idempotency_key']);
    expectTyped(await send({ ...form, change: 'yes' }), form);
    expect(await giftsOf(form['email'] as string)).toEqual([]);
  });

  test('counts a typed amount instead of a chosen one', async () => {
    for (const [typed, cents] of [
      ['75', '7500'],
      ['$1,234.50', '123450'],
      [' 12.5 usd ', '1250'],
    ] as const)
      expect(offersIn(await send(aForm({ other_amount: typed })))[0]).toBe(cents);
  });

  test('offers to cover the fee only where the foundation allows it', async () => {
    const passing = (on: boolean) =>
      asOwner('UPDATE foundation_payment_processors SET fee_pass_through = $2 WHERE foundation_id = $1', [
        foundation.foundationId,
        on,
      ]);
    await passing(false);
    expect((await open()).html).not.toContain('cover');
    expect(offersIn(await send(aForm()))).toEqual(['5000']);
    // The choice of a donor who saw both ways.
    const late = await send(aForm({ pay: '5181' }));
    expect(late).toMatchObject({ status: 409, html: expect.stringContaining('The amounts have changed') });
    expect(offersIn(late)).toEqual(['5000']);
    await passing(true);
    // With the fee covered it would be more than the maximum.
    expect(offersIn(await send(aForm({ other_amount: '25000' })))).toEqual(['2500000']);
  });

  test.each<[string, Record<string, string>, string]>([
    ['other_amount', { amount: '' }, 'Choose an amount'],
    ['other_amount', { other_amount: 'fifty' }, 'in figures'],
    ['other_amount', { other_amount: '-5' }, 'in figures'],
    ['other_amount', { other_amount: '5,5' }, 'in figures'],
    ['other_amount', { other_amount: '5.001' }, 'in figures'],
    ['other_amount', { other_amount: '9007199254740993' }, 'in figures'],
    ['other_amount', { other_amount: '0.99' }, 'from $1.00 to $25,000.00'],
    ['other_amount', { other_amount: '25000.01' }, 'from $1.00 to $25,000.00'],
    ['other_amount', { amount: '1e3' }, 'in figures'],
    ['email', { email: 'nobody' }, 'Must be an e-mail address.'],
    ['email', { email: '' }, 'Enter your e-mail address.'],
    ['first_name', { first_name: ' ' }, 'Enter your first name.'],
    ['last_name', { last_name: 'a\u0000b' }, 'NUL'],
    ['last_name', { last_name: 'x'.repeat(101) }, 'at most 100 characters'],
    ['phone', { phone: 'x'.repeat(51) }, 'at most 50 characters'],
  ])('shows the form again with an error at %s for %j', async (field, more, message) => {
    const before = await countGifts();
    const form = aForm(more);
    for (const sent of [form, { ...form, pay: '5000' }]) {
      const page = await send(sent);
      expect(page.status).toBe(400);
      expect(page.html).toContain('<title>Error: ');
      expect(page.html).toMatch(
        new RegExp(`<li><a href="#${field}">[^<]*${message.replace(/[$.]/g, String.raw`\$&`)}`),
      );
      expect(page.html).toMatch(
        new RegExp(`name="${field}" aria-describedby="[^"]*${field}-error" aria-invalid="true"`),
      );
      expect(page.html).toContain(`id="${field}-error">Error: `);
      // No page can show an amount that is none of the suggested ones, or a NUL character.
      const { amount = '', last_name: _, ...shown } = form;
      expectTyped(page, /^\d*$/.test(amount) ? { ...shown, amount } : shown);
      expect(valueIn(page, 'idempotency_key')).toBe(form['idempotency_key']);
    }
    expect(await countGifts()).toBe(before);
  });
});

test('a form with a field that the page does not have is refused, and shown again as it was typed', async () => {
  const before = await countGifts();
  const form = aForm({ pay: '5000' });
  for (const [name, shown] of [
    ['status', 'status'],
    ['constructor', 'constructor'],
    ['<img src=x>', '&#60;img src=x&#62;'],
  ] as const) {
    const page = await send({ ...form, [name]: 'completed' });
    expect(page.status).toBe(400);
    expect(page.html).toContain(`<li>${shown}: Unknown field.</li>`);
    expectTyped(page, form);
  }
  expect(await countGifts()).toBe(before);
});

test('no hostile value of a field causes a server error', async () => {
  const hostile = new Set(hostileFor('Ada', {}).filter((value) => typeof value === 'string'));
  const texts = ['amount', 'other_amount', 'first_name', 'last_name', 'email', 'phone', 'address', 'idempotency_key'];
  for (const value of [...hostile].filter((text) => text.length < 1_000)) {
    const broken = Object.fromEntries([...texts, 'is_anonymous'].map((name) => [name, value]));
    const pages = [
      await send(broken),
      await send({ ...aForm(), ...broken, amount: '5000', other_amount: '', pay: value }),
    ];
    for (const { status, html } of pages) {
      expect([value, [200, 400, 409].includes(status)]).toEqual([value, true]);
      expect(html).not.toMatch(/<img|<script/);
    }
  }
});

describe('paying', () => {
  /** Ends the page of a gift, as its process does. */
  const endPageOf = (id: string, failure: string) =>
    asOwner(
      `UPDATE payment_attempts SET status = 'failed', failure_code = $2, finished_at = now() WHERE donation_id = $1`,
      [id, failure],
    );

  test('records exactly the gift of the form, once, however often it is sent', async () => {
    const form = aForm({ phone: '555', address: 'Main Street 1\nSpringfield', is_anonymous: 'yes', pay: '5181' });
    const pages = await Promise.all(Array.from({ length: 5 }, () => send(form)));
    for (const page of pages) {
      // The review again, with the same key: the provider did not answer.
      expect(page).toMatchObject({
        status: 503,
        html: expect.stringContaining('The payment provider does not answer'),
      });
      expect(page.headers.get('retry-after')).toBe('10');
      expectTyped(page, form);
      expect(valueIn(page, 'idempotency_key')).toBe(form['idempotency_key']);
      expect(offersIn(page)).toEqual(['5000', '5181']);
    }
    expect(await giftsOf(form['email'] as string)).toEqual([
      {
        id: expect.any(String),
        amount_cents: 5_181,
        fee_cents: 181,
        base_amount_cents: 5_000,
        is_anonymous: true,
        phone: '555',
        address: 'Main Street 1\nSpringfield',
      },
    ]);
    const changed = await send({ ...form, pay: '5000' });
    expect(changed).toMatchObject({
      status: 409,
      html: expect.stringContaining('If you pay now, you make another gift'),
    });
    expectTyped(changed, form);
    const key = valueIn(changed, 'idempotency_key') as string;
    expect(key).not.toBe(form['idempotency_key']);
    expect((await send({ ...form, pay: '5000', idempotency_key: key })).status).toBe(503);
    expect(await giftsOf(form['email'] as string)).toHaveLength(2);
  });

  test('leads a donor whose gift is paid to the page about it', async () => {
    const { amount: _, ...form } = aForm();
    const id = await aPaidGift(world, foundation, form);
    await endPageOf(id, 'cancelled');
    const { status, html } = await send({ ...form, amount: '5000', pay: '5000' });
    expect(status).toBe(200);
    expect(html).toContain(`<meta http-equiv="refresh" content="0; url=/donation-success/?donation_id=${id}">`);
    expect(html).toContain(`<a href="/donation-success/?donation_id=${id}">Continue</a>`);
  });

  test.each([
    ['whose page was left', 'cancelled', 409, 'The payment page is no longer open, and nothing was charged.'],
    ['that the provider refused', 'card_declined', 400, 'The payment provider refused this payment.'],
  ])('gets another key after a gift %s', async (_, failure, status, message) => {
    const form = aForm({ pay: '5000' });
    await send(form);
    const [gift] = await giftsOf(form['email'] as string);
    await endPageOf(gift?.id as string, failure);
    await asOwner(`UPDATE donations SET status = 'failed', failure_code = $2 WHERE id = $1`, [gift?.id, failure]);
    const page = await send(form);
    expect(page).toMatchObject({ status, html: expect.stringContaining(message) });
    expectTyped(page, form);
    const key = valueIn(page, 'idempotency_key') as string;
    expect((await send({ ...form, idempotency_key: key })).status).toBe(503);
    expect(await giftsOf(form['email'] as string)).toHaveLength(2);
  });

  test('is refused for a form of another origin', async () => {
    const before = await countGifts();
    for (const Origin of ['https://evil.example', 'null']) {
      const page = await send(aForm({ pay: '5000' }), { Origin });
      expect(page.status).toBe(403);
      expect(page.html).not.toContain('<form');
    }
    expect((await send(aForm(), { Origin: 'null', Cookie: 'access_token=x' })).status).toBe(403);
    expect((await send(aForm(), { Cookie: 'access_token=x' })).status).toBe(403);
    expect(await countGifts()).toBe(before);
    expect((await send(aForm(), { Origin: api.url })).status).toBe(200);
  });

  test('a page answers other bodies, which are no form of it', async () => {
    const post = (body: string, type: string) =>
      fetch(url(), { method: 'POST', body, headers: { 'Content-Type': type } });
    const refused = [
      await post('{}', 'application/json'),
      await post('x'.repeat(100_001), 'application/x-www-form-urlencoded'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([415, 413]);
    for (const { headers } of refused) expect(headers.get('content-type')).toContain('text/html');
  });

  test('too often shows the form again, with everything typed', async () => {
    config.THROTTLE_LIMITS = { donate: 2, donate_email: 1 };
    const limited = await startApi();
    config.THROTTLE_LIMITS = {};
    const to = (fields: Record<string, string>) => sendForm(limited.url + donatePath(foundation), fields);
    const form = aForm({ address: 'Main Street 1', is_anonymous: 'yes' });
    expect((await to(form)).status).toBe(200);
    expect((await to(form)).status).toBe(200);
    for (const sent of [form, { ...form, pay: '5000' }]) {
      const page = await to(sent);
      expect(page).toMatchObject({ status: 429, html: expect.stringContaining('Too many requests. Try again in') });
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expectTyped(page, form);
      expect(valueIn(page, 'idempotency_key')).toBe(form['idempotency_key']);
    }
    await limited.close();
  });
});

test('a client at GIVING_URL may call the public routes of giving, and no others', async () => {
  const own = config.givingUrl;
  Object.assign(config, { givingUrl: 'https://give.example.org' });
  const Origin = config.givingUrl;
  const path = `/api/foundation/public/campaigns/${foundation.foundationId}/${foundation.slug}/`;
  const read = await fetch(api.url + path, { headers: { Origin } });
  expect([
    read.status,
    read.headers.get('access-control-allow-origin'),
    read.headers.get('access-control-allow-credentials'),
  ]).toEqual([200, Origin, null]);
  const give = (origin: string) =>
    fetch(`${api.url}${path}donate/`, {
      method: 'POST',
      body: '{}',
      headers: { Origin: origin, 'Content-Type': 'application/json' },
    });
  expect([(await give(Origin)).status, (await give('https://evil.example')).status]).toEqual([400, 403]);
  const preflight = await fetch(`${api.url}${path}donate/`, {
    method: 'OPTIONS',
    headers: { Origin, 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBe(Origin);
  const elsewhere = await fetch(`${api.url}/api/foundation/config/`, { headers: { Origin } });
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull();
  Object.assign(config, { givingUrl: own });
});
