import { referenceOf } from '../../../activities/finances/pageSessions.js';
import { config } from '../../../config.js';
import { type CheckoutStandin, startCheckoutStandin } from '../../../development/standins/checkout/server.js';
import { CARDS } from '../../../development/standins/checkout/state.js';
import { type PaypalStandin, startPaypalStandin } from '../../../development/standins/paypal/server.js';
import { type SquareStandin, startSquareStandin } from '../../../development/standins/square/server.js';
import { type Standin, startStandin } from '../../../development/standins/payments/server.js';
import { adapterOf, paymentPort } from '../../../gateways/payments/processors.js';
import { decrypt } from '../../../models/database/encryption.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { loadHostedPage, recordPageRequest, recordPage } from '../../../models/finances/attempts/hostedPage.js';
import { openHostedAttempt } from '../../../models/finances/attempts/hostedPayment.js';
import { flagStrayCapture } from '../../../models/finances/captures/flagStrayCapture.js';
import { aMember, anInvoice, signIn } from '../../support/world.js';
import { PROVIDERS } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/payment-processors/`;
const SECRETS = { secret_key: 'sk_test_a_very_secret_key', webhook_secret: 'whsec_another_very_secret' };
const processor = {
  provider: 'stripe',
  label: 'Main account',
  publishable_key: 'pk_test_1',
  account_reference: 'acct_1',
  ...SECRETS,
};

let gateway: Standin;
beforeAll(async () => {
  gateway = await startStandin({ port: 0, controlPort: 0 });
  config.STRIPE_API_URL = gateway.url;
});
afterAll(() => gateway.close());

/** An order to the gateway's control port. */
const order = async (where: string, body: unknown) =>
  expect((await fetch(gateway.controlUrl + where, { method: 'POST', body: JSON.stringify(body) })).ok).toBe(true);
const newKey = async (key: string) => {
  await order('/keys', { key, same_account_as: SECRETS.secret_key });
  return key;
};

const stored = async (id: string) =>
  (await asOwner('SELECT * FROM org_payment_processors WHERE id = $1', [id]))[0] as Record<string, string>;
const opened = async (id: string, column: string) =>
  decrypt((await stored(id))[column] as string, { table: 'org_payment_processors', column, rowId: id });

/** One is active at a time. */
const disableAll = () =>
  asOwner('UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now()) WHERE organization_id = $1', [
    stage.world.organizationId,
  ]);

async function connected(): Promise<string> {
  await disableAll();
  return (await stage.admin.post(path(), processor)).body.id;
}

test('processors need a signed-in organization admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(path(), processor)).toMatchObject({ status: 403 });
});

test('a processor is connected, and its secrets are sealed and never seen again', async () => {
  const { body, status } = await stage.admin.post(path(), processor);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    provider: 'stripe',
    is_active: true,
    gateway_account_id: expect.stringMatching(/^acct_/),
    has_work_under_way: false,
    previous_webhook_secret_expires_at: null,
    secret_key_last4: '_key',
    webhook_secret_last4: 'cret',
    accepts_previous_webhook_secret: false,
    webhook_url: expect.stringContaining(`/api/finances/webhooks/processor/?processor=${body.id}`),
  });
  expect(await opened(body.id, 'secret_key_encrypted')).toBe(SECRETS.secret_key);
  const everything = JSON.stringify([
    body,
    await stage.admin.get(path()),
    await stage.admin.get(`${path()}${body.id}/`),
    await stored(body.id),
    await asOwner('SELECT * FROM audit_log WHERE subject_id = $1', [body.id]),
  ]);
  for (const secret of Object.values(SECRETS)) expect(everything).not.toContain(secret);
  expect(JSON.stringify(await stage.admin.get(path()))).not.toContain('encrypted');
});

test('an organization has one active processor, also when two are connected at once', async () => {
  await stage.admin.post(`${path()}${await connected()}/disable/`);
  const answers = await Promise.all([stage.admin.post(path(), processor), stage.admin.post(path(), processor)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('processor_already_active');
});

test('a new webhook secret leaves the one before it valid', async () => {
  const id = await connected();
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' });
  expect(answer).toMatchObject({ status: 200, body: { accepts_previous_webhook_secret: true, version: 2 } });
  expect(await opened(id, 'webhook_secret_encrypted')).toBe('whsec_the_next_secret');
  expect(await opened(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);

  const { body } = await stage.admin.post(`${path()}${id}/rotate/`, {
    webhook_secret: 'whsec_the_next_secret',
    secret_key: await newKey('sk_test_the_next_key'),
  });
  expect(body.previous_webhook_secret_expires_at).toBe(answer.body.previous_webhook_secret_expires_at);
  expect(await opened(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);
  expect(await opened(id, 'secret_key_encrypted')).toBe('sk_test_the_next_key');
});

test('rotation knows what somebody else changed, and refuses nothing at all', async () => {
  const id = await connected();
  expect(
    await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key', version: 9 }),
  ).toMatchObject({ status: 409 });
  expect(await stage.admin.post(`${path()}${id}/rotate/`, {})).toMatchObject({
    status: 400,
    body: { errors: { secret_key: [expect.any(String)] } },
  });
});

test('a disabled processor stays disabled, and has its secrets replaced', async () => {
  const id = await connected();
  const first = await stage.admin.post(`${path()}${id}/disable/`);
  expect(first).toMatchObject({ status: 200, body: { is_active: false } });
  expect((await stage.admin.post(`${path()}${id}/disable/`)).body).toEqual(first.body);
  expect(
    await stage.admin.post(`${path()}${id}/rotate/`, {
      secret_key: await newKey('sk_test_the_next_key'),
      webhook_secret: 'whsec_the_next_secret',
      retire_now: true,
    }),
  ).toMatchObject({ status: 200, body: { is_active: false, accepts_previous_webhook_secret: false } });
  expect(await opened(id, 'webhook_secret_encrypted')).toBe('whsec_the_next_secret');
});

test("another organization's processors are not there", async () => {
  const foreign = await stage.as(stage.other.admin).post(path(stage.other.organizationId), processor);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(foreign.body.id, (id) => stage.admin.get(`${path()}${id}/`));
  await expectNowhere(foreign.body.id, (id) =>
    stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key' }),
  );
  await expectNowhere(foreign.body.id, (id) => stage.admin.post(`${path()}${id}/disable/`));
});

test.each([
  ['provider', 'cash'],
  ['label', ' '],
  ['secret_key', 'short'],
  ['secret_key', 'sk_test with spaces in it'],
  ['webhook_secret', ''],
  ['publishable_key', 'x'.repeat(301)],
  ['account', 'acct_1'],
])('%s: %j is refused by name, and no secret comes back', async (field, value) => {
  const answer = await stage.admin.post(path(), { ...processor, [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(answer.body)).not.toContain(secret);
});

test('the list is one statement inside the request', async () => {
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});

test('connecting, rotating and disabling need a recent proof', async () => {
  const id = await connected();
  const token = await signIn(stage.world.admin.userId, stage.world.organizationId);
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [
    stage.world.admin.userId,
  ]);
  const stale = stage.as({ token });
  const answers = [
    await stale.post(path(), processor),
    await stale.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' }),
    await stale.post(`${path()}${id}/disable/`),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
  expect(await stale.get(path())).toMatchObject({ status: 200 });
  await asOwner(`UPDATE sessions SET auth_time = now() WHERE user_id = $1`, [stage.world.admin.userId]);
});

test('a key of another account, or of its test data, is refused', async () => {
  const id = await connected();
  const rotate = (secret_key: string) => stage.admin.post(`${path()}${id}/rotate/`, { secret_key });
  const refused = { status: 409, body: { code: 'processor_other_account' } };
  expect(await rotate('sk_test_of_somebody_else')).toMatchObject(refused);
  expect(await rotate(await newKey('sk_live_of_this_account'))).toMatchObject(refused);
  expect(await opened(id, 'secret_key_encrypted')).toBe(SECRETS.secret_key);
  expect(await rotate(await newKey('sk_test_of_this_account'))).toMatchObject({ status: 200 });
  expect(await opened(id, 'secret_key_encrypted')).toBe('sk_test_of_this_account');
});

describe('a processor whose account was never asked for', () => {
  const forgotten = async () => {
    const id = await connected();
    await asOwner(
      'UPDATE org_payment_processors SET gateway_account_id = NULL, gateway_livemode = NULL WHERE id = $1',
      [id],
    );
    return (secret_key: string) => stage.admin.post(`${path()}${id}/rotate/`, { secret_key });
  };

  test('learns it from the key that it has', async () => {
    const rotate = await forgotten();
    expect(await rotate('sk_test_of_somebody_else')).toMatchObject({ body: { code: 'processor_other_account' } });
    expect(await rotate(await newKey('sk_test_learned'))).toMatchObject({
      status: 200,
      body: { gateway_account_id: expect.stringMatching(/^acct_/) },
    });
  });

  describe('and whose key is revoked', () => {
    const OTHERS = 'sk_test_whoever_it_is';
    const refused = { status: 409, body: { code: 'processor_other_account' } };
    let rotate: (secretKey: string) => Promise<{ status: number; body: unknown }>;
    let attemptId: string;

    beforeEach(async () => {
      rotate = await forgotten();
    });
    afterEach(() => order('/keys', { key: SECRETS.secret_key, revoked: false }));

    const revoke = () => order('/keys', { key: SECRETS.secret_key, revoked: true });
    const ownKey = () => newKey(`sk_test_of_the_same_account_${attemptId.slice(-8)}`);
    /** A click on 'pay'. @param open whether the gateway was asked for a page, and whether its answer came */
    async function aPage(open: 'never_asked' | 'lost' | 'known') {
      const { organizationId, chapterId, member } = stage.world;
      const invoice = await anInvoice(stage.world, { chapterId, membershipId: member.membershipId });
      ({ attemptId } = await inTenant(organizationId, () => openHostedAttempt(invoice, member.userId)));
      if (open === 'never_asked') return;
      const page = await inTenant(organizationId, () => loadHostedPage(attemptId));
      await inTenant(organizationId, () => recordPageRequest(attemptId, true));
      const opened = await paymentPort(page.access).openHostedPayment({
        amountCents: page.amountCents,
        currency: page.currency,
        description: page.description,
        reference: referenceOf({ organizationId, attemptId }, page),
        idempotencyKey: `hosted:${attemptId}:1`,
        returnUrl: 'https://example.org',
      });
      if (open === 'known') await inTenant(organizationId, () => recordPage(attemptId, opened));
    }
    const end = () =>
      asOwner(`UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE id = $1`, [attemptId]);

    test('and that has opened nothing takes the account of the new one', async () => {
      await revoke();
      expect(await rotate(OTHERS)).toMatchObject({ status: 200 });
    });

    test.each(['known', 'lost'] as const)(
      'takes a key of the account that knows its page, and no other: a page whose id is %s',
      async (open) => {
        await aPage(open);
        await revoke();
        expect(await rotate(OTHERS)).toMatchObject(refused);
        await end();
        // Its pages may be open still.
        expect(await rotate(OTHERS)).toMatchObject(refused);
        expect(await rotate(await ownKey())).toMatchObject({ status: 200 });
      },
    );

    test('takes no key at all while something is under way that nothing can tell about, and any afterwards', async () => {
      await aPage('never_asked');
      await revoke();
      for (const key of [OTHERS, await ownKey()]) expect(await rotate(key)).toMatchObject(refused);
      await end();
      expect(await rotate(OTHERS)).toMatchObject({ status: 200 });
    });
  });
});

test.each([
  ['the gateway does not know', { key: 'sk_test_revoked_one', revoked: true }],
  ['may not read its account', { key: 'sk_test_revoked_one', revoked: false, reads_account: false }],
])('a key that %s is refused by name, and nothing is connected', async (_, key) => {
  const id = await connected();
  await order('/keys', key);
  const refused = { status: 400, body: { errors: { secret_key: [expect.any(String)] } } };
  expect(await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: key.key })).toMatchObject(refused);
  await stage.admin.post(`${path()}${id}/disable/`);
  expect(await stage.admin.post(path(), { ...processor, secret_key: key.key })).toMatchObject(refused);
  expect((await stage.admin.get(path())).body.results).not.toContainEqual(expect.objectContaining({ is_active: true }));
});

test('while the gateway is away, the answer says when to come back', async () => {
  const id = await connected();
  await order('/faults', { kind: 'drop_before_capture', operation: 'account', times: 2 });
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key' });
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('30');
});

test('a webhook secret that was replaced ends a day later, or at once', async () => {
  const id = await connected();
  const rotate = (body: object) => stage.admin.post(`${path()}${id}/rotate/`, body);
  const { body } = await rotate({ webhook_secret: 'whsec_the_second_secret' });
  const hours = (Date.parse(body.previous_webhook_secret_expires_at) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);

  await rotate({ webhook_secret: 'whsec_the_third_secret' });
  expect(await opened(id, 'previous_webhook_secret_encrypted')).toBe('whsec_the_second_secret');
  expect((await rotate({ retire_now: true })).body).toMatchObject({
    accepts_previous_webhook_secret: false,
    previous_webhook_secret_expires_at: null,
  });
  expect((await rotate({ webhook_secret: 'whsec_a_fourth_secret', retire_now: true })).body).toMatchObject({
    accepts_previous_webhook_secret: false,
    webhook_secret_last4: 'cret',
  });
  expect((await stored(id))['previous_webhook_secret_encrypted']).toBeNull();
  expect(await rotate({ retire_now: false })).toMatchObject({ status: 400 });
});

test('the other administrators are told, and it is on record', async () => {
  const { organizationId, chapterId, admin } = stage.world;
  const [colleague, former] = [await aMember(organizationId, chapterId), await aMember(organizationId, chapterId)];
  await asOwner(
    `INSERT INTO organization_admins (organization_id, user_id, title, is_active) VALUES ($1, $2, 'Vice', true), ($1, $3, 'Once', false)`,
    [organizationId, colleague.userId, former.userId],
  );
  const id = await connected();
  await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' });
  await stage.admin.post(`${path()}${id}/disable/`);
  await stage.admin.post(`${path()}${id}/disable/`);
  const told = (userId: string) =>
    asOwner<{ kind: string; facts: object }>('SELECT kind, facts FROM account_notices WHERE user_id = $1 ORDER BY id', [
      userId,
    ]);
  const notices = await told(colleague.userId);
  const events = ['connected', 'rotated', 'disabled'];
  expect(notices.map(({ kind }) => kind)).toEqual(events.map((event) => `payment_processor_${event}`));
  for (const { facts } of notices) {
    expect(facts).toEqual({ organization: expect.any(String), processor: 'Main account', at: expect.any(String) });
  }
  expect([await told(admin.userId), await told(former.userId)]).toEqual([[], []]);
  const recorded = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    id,
  ]);
  expect(recorded.map(({ action }) => action)).toEqual(events.map((event) => `payment_processor.${event}`));
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [colleague.userId]);
});

test('each provider has an adapter, and one that is none is unknown', async () => {
  for (const provider of PROVIDERS) expect(adapterOf(provider)).toBeDefined();
  expect(await stage.admin.post(path(), { ...processor, provider: 'authorize_net' })).toMatchObject({
    status: 400,
    body: { errors: { provider: [expect.any(String)] } },
  });
});

test('credentials that its provider does not ask for are named', async () => {
  await connected();
  await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE organization_id = $1', [
    stage.world.organizationId,
  ]);
  const answer = await stage.admin.post(path(), { ...processor, credentials: { location_id: 'L1' } });
  expect(answer).toMatchObject({ status: 400, body: { errors: { credentials: [expect.any(String)] } } });
});

test('an answer says what can be done with the provider', async () => {
  const { body } = await stage.admin.get(`${path()}${await connected()}/`);
  expect(body.capabilities).toContain('remittances');
});

describe('Square', () => {
  let square: SquareStandin;
  beforeAll(async () => {
    square = await startSquareStandin({ port: 0, controlPort: 0 });
    Object.assign(config, { SQUARE_API_URL: square.url, STRIPE_TIMEOUT_SECONDS: 2 });
  });
  beforeEach(disableAll);
  afterAll(() => square.close());

  const body = {
    provider: 'square',
    label: 'Cards',
    secret_key: 'EAAA_token_of_the_account',
    credentials: { location_id: 'LMAIN' },
    webhook_secret: 'signature_key_of_square',
  };

  test('it is connected with a location, and nothing of its credentials is answered', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'square', secret_key_last4: 'ount', gateway_account_id: expect.stringMatching(/^ML/) },
    });
    const { id } = answer.body;
    expect(JSON.parse(await opened(id, 'secret_key_encrypted'))).toEqual({
      secret_key: body.secret_key,
      location_id: 'LMAIN',
    });
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await stored(id)]);
    for (const secret of [body.secret_key, 'LMAIN', body.webhook_secret]) expect(everything).not.toContain(secret);
  });

  test.each([
    [{ credentials: undefined }, 'credentials.location_id'],
    [{ credentials: {} }, 'credentials.location_id'],
    [{ credentials: { location_id: '../merchants/me' } }, 'credentials.location_id'],
    [{ credentials: { location_id: 'XELSEWHERE' } }, 'credentials.location_id'],
    [{ credentials: { location_id: 'LMAIN', more: 'x' } }, 'credentials'],
  ])('%j is 400 naming %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('a revoked token is 400 naming it', async () => {
    await fetch(`${square.controlUrl}/keys`, {
      method: 'POST',
      body: JSON.stringify({ key: 'EAAA_a_revoked_token', revoked: true }),
    });
    expect(await stage.admin.post(path(), { ...body, secret_key: 'EAAA_a_revoked_token' })).toMatchObject({
      status: 400,
      body: { errors: { secret_key: [expect.any(String)] } },
    });
  });

  test('the location alone is replaced, and the token stays', async () => {
    const { id } = (await stage.admin.post(path(), body)).body;
    expect(await stage.admin.post(`${path()}${id}/rotate/`, { credentials: { location_id: 'LOTHER' } })).toMatchObject({
      status: 200,
      body: { secret_key_last4: 'ount' },
    });
    expect(JSON.parse(await opened(id, 'secret_key_encrypted'))).toEqual({
      secret_key: body.secret_key,
      location_id: 'LOTHER',
    });
  });
});

describe('PayPal', () => {
  let paypal: PaypalStandin;
  beforeAll(async () => {
    paypal = await startPaypalStandin({ port: 0, controlPort: 0 });
    Object.assign(config, { PAYPAL_API_URL: paypal.url, STRIPE_TIMEOUT_SECONDS: 2 });
  });
  beforeEach(disableAll);
  afterAll(() => paypal.close());

  const body = {
    provider: 'paypal',
    label: 'Cards',
    secret_key: 'EPaypal_secret_of_the_client',
    credentials: { client_id: 'APaypal_client' },
    webhook_secret: '1JE4291016473214C',
  };

  test('it is connected with the id of an application, and nothing of its credentials is answered', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'paypal', secret_key_last4: 'ient', gateway_account_id: expect.any(String) },
    });
    const refunds = ['refunds', 'partial_refunds'];
    expect(answer.body.capabilities).toEqual(['remittances', 'hosted_page', ...refunds, 'reconciliation']);
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await stored(answer.body.id)]);
    for (const secret of [body.secret_key, 'APaypal_client', body.webhook_secret])
      expect(everything).not.toContain(secret);
    expect(await stage.admin.post(`${path()}${answer.body.id}/verify/`)).toMatchObject({ body: { valid: true } });
  });

  test.each([
    [{ credentials: undefined }, 'credentials.client_id'],
    [{ credentials: { client_id: '../me' } }, 'credentials.client_id'],
    [{ credentials: { client_id: 'APaypal_client', location_id: 'L' } }, 'credentials'],
  ])('%j is 400 naming %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('a revoked secret is 400 naming it', async () => {
    await fetch(`${paypal.controlUrl}/clients`, {
      method: 'POST',
      body: JSON.stringify({ client_id: 'APaypal_client', secret: 'EPaypal_a_revoked_secret', revoked: true }),
    });
    expect(await stage.admin.post(path(), { ...body, secret_key: 'EPaypal_a_revoked_secret' })).toMatchObject({
      status: 400,
      body: { errors: { secret_key: [expect.any(String)] } },
    });
  });
});

describe('Checkout.com', () => {
  let checkout: CheckoutStandin;
  beforeAll(async () => {
    checkout = await startCheckoutStandin({ port: 0, controlPort: 0 });
    Object.assign(config, { CHECKOUT_API_URL: checkout.url, STRIPE_TIMEOUT_SECONDS: 2 });
  });
  beforeEach(disableAll);
  afterAll(() => checkout.close());

  const channel = `pc_${'c'.repeat(26)}`;
  const body = {
    provider: 'checkout',
    label: 'Cards',
    publishable_key: 'pk_sbox_of_the_account',
    secret_key: `sk_sbox_${'k'.repeat(26)}=`,
    credentials: { processing_channel_id: channel, subdomain: 'ourprefix' },
    webhook_secret: 'signature_key_of_checkout',
  };

  test('it is connected with a channel and a subdomain, and no secret of it is answered', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'checkout', secret_key_last4: 'kkk=', gateway_account_id: `ourprefix:${channel}` },
    });
    const { capabilities } = (await stage.admin.get(`${path()}${answer.body.id}/`)).body;
    expect(capabilities).toEqual(['remittances', 'hosted_page', 'refunds', 'partial_refunds', 'reconciliation']);
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await stored(answer.body.id)]);
    for (const secret of [body.secret_key, body.webhook_secret]) expect(everything).not.toContain(secret);
    expect(await stage.admin.post(`${path()}${answer.body.id}/verify/`)).toMatchObject({ body: { valid: true } });
  });

  test('a key that names the same account and does not know its charges is one of another', async () => {
    const { id } = (await stage.admin.post(path(), body)).body;
    const another = `sk_sbox_${'j'.repeat(26)}=`;
    const charge = await fetch(`${checkout.url}/payments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${body.secret_key}` },
      body: JSON.stringify({
        source: { type: 'token', token: CARDS.good },
        amount: 5_000,
        currency: 'USD',
        capture: false,
        processing_channel_id: channel,
      }),
    });
    const { id: intentId } = (await charge.json()) as { id: string };
    const capture = { processorId: id, intentId, amountCents: 5_000, currency: 'usd' };
    await inTenant(stage.world.organizationId, () => flagStrayCapture(capture));
    const rotate = (secret_key: string) => stage.admin.post(`${path()}${id}/rotate/`, { secret_key });
    expect(await rotate(another)).toMatchObject({ status: 409, body: { code: 'processor_other_account' } });
    expect(await rotate(body.secret_key)).toMatchObject({ status: 200 });
  });

  test.each([
    [{ secret_key: 'sk_test_of_another_provider' }, 'secret_key'],
    [{ credentials: { processing_channel_id: channel } }, 'credentials.subdomain'],
    [{ credentials: { processing_channel_id: channel, subdomain: 'evil.example' } }, 'credentials.subdomain'],
    [{ credentials: { processing_channel_id: 'LMAIN', subdomain: 'x' } }, 'credentials.processing_channel_id'],
  ])('%j is 400 naming %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });
});

test('credentials that the provider takes are valid, whoever asks is no officer, and revoked ones are named', async () => {
  const id = await connected();
  const verify = (as = stage.admin) => as.post(`${path()}${id}/verify/`);
  expect(await verify()).toMatchObject({
    status: 200,
    body: { valid: true, gateway_account_id: expect.stringMatching(/^acct_/), problem: null },
  });
  expect(await verify(stage.officer)).toMatchObject({ status: 403 });
  expect(await verify(stage.nobody)).toMatchObject({ status: 401 });
  await order('/keys', { key: SECRETS.secret_key, revoked: true });
  expect(await verify()).toMatchObject({
    status: 200,
    body: { valid: false, gateway_account_id: null, problem: { field: 'secret_key', message: expect.any(String) } },
  });
  await order('/keys', { key: SECRETS.secret_key, revoked: false });
});

test('a provider that does not answer says nothing about the credentials', async () => {
  const id = await connected();
  await order('/faults', { kind: 'drop_before_capture', operation: 'account', times: 2 });
  expect(await stage.admin.post(`${path()}${id}/verify/`)).toMatchObject({ status: 503 });
  await fetch(`${gateway.controlUrl}/faults`, { method: 'DELETE' });
});

test('a webhook secret of another organization is refused at connect and at rotation, also when both come at once', async () => {
  const theirs = stage.as(stage.other.admin);
  const webhook_secret = 'whsec_wanted_by_two_at_once';
  await asOwner('UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now())');
  const answers = await Promise.all([
    stage.admin.post(path(), { ...processor, webhook_secret }),
    theirs.post(path(stage.other.organizationId), { ...processor, webhook_secret }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('webhook_secret_in_use');

  const id = await connected();
  const own = (await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_of_ours_alone' })).status;
  expect(own).toBe(200);
  await asOwner('UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now())');
  const other = await theirs.post(path(stage.other.organizationId), {
    ...processor,
    webhook_secret: 'whsec_of_theirs_alone',
  });
  expect(other.status).toBe(201);
  const rotated = await theirs.post(`${path(stage.other.organizationId)}${other.body.id}/rotate/`, {
    webhook_secret: 'whsec_of_ours_alone',
  });
  expect(rotated).toMatchObject({ status: 409, body: { code: 'webhook_secret_in_use' } });
  expect(JSON.stringify(await asOwner('SELECT * FROM payment_webhook_secrets'))).not.toContain('whsec_');
});
