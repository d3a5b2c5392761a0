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

/** Sends a command to the control port of the stand-in. */
const order = async (where: string, body: unknown) =>
  expect((await fetch(gateway.controlUrl + where, { method: 'POST', body: JSON.stringify(body) })).ok).toBe(true);
const newKey = async (key: string) => {
  await order('/keys', { key, same_account_as: SECRETS.secret_key });
  return key;
};

const readRow = async (id: string) =>
  (await asOwner('SELECT * FROM org_payment_processors WHERE id = $1', [id]))[0] as Record<string, string>;
const decryptColumn = async (id: string, column: string) =>
  decrypt((await readRow(id))[column] as string, { table: 'org_payment_processors', column, rowId: id });

/** An organization has at most one active processor. */
const disableAll = () =>
  asOwner('UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now()) WHERE organization_id = $1', [
    stage.world.organizationId,
  ]);

async function connectProcessor(): Promise<string> {
  await disableAll();
  return (await stage.admin.post(path(), processor)).body.id;
}

test('payment processors need a signed-in organization admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(path(), processor)).toMatchObject({ status: 403 });
});

test('the secrets of a connected processor are encrypted and never returned', async () => {
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
  expect(await decryptColumn(body.id, 'secret_key_encrypted')).toBe(SECRETS.secret_key);
  const everything = JSON.stringify([
    body,
    await stage.admin.get(path()),
    await stage.admin.get(`${path()}${body.id}/`),
    await readRow(body.id),
    await asOwner('SELECT * FROM audit_log WHERE subject_id = $1', [body.id]),
  ]);
  for (const secret of Object.values(SECRETS)) expect(everything).not.toContain(secret);
  expect(JSON.stringify(await stage.admin.get(path()))).not.toContain('encrypted');
});

test('an organization has one active processor, also when two are connected at once', async () => {
  await stage.admin.post(`${path()}${await connectProcessor()}/disable/`);
  const answers = await Promise.all([stage.admin.post(path(), processor), stage.admin.post(path(), processor)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('processor_already_active');
});

test('the previous webhook secret stays valid after a rotation, with its first expiry', async () => {
  const id = await connectProcessor();
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' });
  expect(answer).toMatchObject({ status: 200, body: { accepts_previous_webhook_secret: true, version: 2 } });
  expect(await decryptColumn(id, 'webhook_secret_encrypted')).toBe('whsec_the_next_secret');
  expect(await decryptColumn(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);

  const { body } = await stage.admin.post(`${path()}${id}/rotate/`, {
    webhook_secret: 'whsec_the_next_secret',
    secret_key: await newKey('sk_test_the_next_key'),
  });
  expect(body.previous_webhook_secret_expires_at).toBe(answer.body.previous_webhook_secret_expires_at);
  expect(await decryptColumn(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);
  expect(await decryptColumn(id, 'secret_key_encrypted')).toBe('sk_test_the_next_key');
});

test('a rotation with a stale version or without any secret is refused', async () => {
  const id = await connectProcessor();
  expect(
    await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key', version: 9 }),
  ).toMatchObject({ status: 409 });
  expect(await stage.admin.post(`${path()}${id}/rotate/`, {})).toMatchObject({
    status: 400,
    body: { errors: { secret_key: [expect.any(String)] } },
  });
});

test('a disabled processor stays disabled, and its secrets can be rotated', async () => {
  const id = await connectProcessor();
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
  expect(await decryptColumn(id, 'webhook_secret_encrypted')).toBe('whsec_the_next_secret');
});

test("another organization's processors are not found", async () => {
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
])('%s: %j is refused at its field without returning a secret', async (field, value) => {
  const answer = await stage.admin.post(path(), { ...processor, [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(answer.body)).not.toContain(secret);
});

test('the list of processors takes one statement inside the transaction', async () => {
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});

test('connecting, rotating and disabling a processor need a recent sign-in', async () => {
  const id = await connectProcessor();
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

test('a key of another account or of the other mode is refused', async () => {
  const id = await connectProcessor();
  const rotate = (secret_key: string) => stage.admin.post(`${path()}${id}/rotate/`, { secret_key });
  const refused = { status: 409, body: { code: 'processor_other_account' } };
  expect(await rotate('sk_test_of_somebody_else')).toMatchObject(refused);
  expect(await rotate(await newKey('sk_live_of_this_account'))).toMatchObject(refused);
  expect(await decryptColumn(id, 'secret_key_encrypted')).toBe(SECRETS.secret_key);
  expect(await rotate(await newKey('sk_test_of_this_account'))).toMatchObject({ status: 200 });
  expect(await decryptColumn(id, 'secret_key_encrypted')).toBe('sk_test_of_this_account');
});

describe('a processor without a known gateway account', () => {
  const connectWithoutAccount = async () => {
    const id = await connectProcessor();
    await asOwner(
      'UPDATE org_payment_processors SET gateway_account_id = NULL, gateway_livemode = NULL WHERE id = $1',
      [id],
    );
    return (secret_key: string) => stage.admin.post(`${path()}${id}/rotate/`, { secret_key });
  };

  test('the account is read with the stored key when a key is rotated', async () => {
    const rotate = await connectWithoutAccount();
    expect(await rotate('sk_test_of_somebody_else')).toMatchObject({ body: { code: 'processor_other_account' } });
    expect(await rotate(await newKey('sk_test_learned'))).toMatchObject({
      status: 200,
      body: { gateway_account_id: expect.stringMatching(/^acct_/) },
    });
  });

  describe('a processor without a known gateway account whose key is revoked', () => {
    const OTHERS = 'sk_test_whoever_it_is';
    const refused = { status: 409, body: { code: 'processor_other_account' } };
    let rotate: (secretKey: string) => Promise<{ status: number; body: unknown }>;
    let attemptId: string;

    beforeEach(async () => {
      rotate = await connectWithoutAccount();
    });
    afterEach(() => order('/keys', { key: SECRETS.secret_key, revoked: false }));

    const revoke = () => order('/keys', { key: SECRETS.secret_key, revoked: true });
    const ownKey = () => newKey(`sk_test_of_the_same_account_${attemptId.slice(-8)}`);
    /** Opens a hosted attempt. @param open whether the page was requested at the gateway, and whether its answer arrived */
    async function aPage(open: 'never_asked' | 'lost' | 'known') {
      const { organizationId, chapterId, member } = stage.world;
      const invoice = await anInvoice(stage.world, { chapterId, membershipId: member.membershipId });
      ({ attemptId } = await inTenant(organizationId, () => openHostedAttempt(invoice, member.userId)));
      if (open === 'never_asked') return;
      const page = await inTenant(organizationId, () => loadHostedPage(attemptId));
      await inTenant(organizationId, () => recordPageRequest(attemptId, true));
      const session = await paymentPort(page.access).openHostedPayment({
        amountCents: page.amountCents,
        currency: page.currency,
        description: page.description,
        reference: referenceOf({ organizationId, attemptId }, page),
        idempotencyKey: `hosted:${attemptId}:1`,
        doneUrl: 'https://example.org',
        cancelUrl: 'https://example.org',
      });
      if (open === 'known') await inTenant(organizationId, () => recordPage(attemptId, session));
    }
    const end = () =>
      asOwner(`UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE id = $1`, [attemptId]);

    test('a processor that has opened no page accepts the account of the new key', async () => {
      await revoke();
      expect(await rotate(OTHERS)).toMatchObject({ status: 200 });
    });

    test.each(['known', 'lost'] as const)(
      'a processor accepts only a key whose account knows its hosted page, the id of which is %s',
      async (open) => {
        await aPage(open);
        await revoke();
        expect(await rotate(OTHERS)).toMatchObject(refused);
        await end();
        // Its hosted pages may still be open.
        expect(await rotate(OTHERS)).toMatchObject(refused);
        expect(await rotate(await ownKey())).toMatchObject({ status: 200 });
      },
    );

    test('a processor accepts no key while an attempt without a page is unfinished, and any key after it', async () => {
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
])('a key that %s is refused at its field, and no processor is connected', async (_, key) => {
  const id = await connectProcessor();
  await order('/keys', key);
  const refused = { status: 400, body: { errors: { secret_key: [expect.any(String)] } } };
  expect(await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: key.key })).toMatchObject(refused);
  await stage.admin.post(`${path()}${id}/disable/`);
  expect(await stage.admin.post(path(), { ...processor, secret_key: key.key })).toMatchObject(refused);
  expect((await stage.admin.get(path())).body.results).not.toContainEqual(expect.objectContaining({ is_active: true }));
});

test('a rotation while the gateway is unavailable answers 503 with Retry-After', async () => {
  const id = await connectProcessor();
  await order('/faults', { kind: 'drop_before_capture', operation: 'account', times: 2 });
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key' });
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('30');
});

test('a replaced webhook secret expires a day later, or at once on request', async () => {
  const id = await connectProcessor();
  const rotate = (body: object) => stage.admin.post(`${path()}${id}/rotate/`, body);
  const { body } = await rotate({ webhook_secret: 'whsec_the_second_secret' });
  const hours = (Date.parse(body.previous_webhook_secret_expires_at) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);

  await rotate({ webhook_secret: 'whsec_the_third_secret' });
  expect(await decryptColumn(id, 'previous_webhook_secret_encrypted')).toBe('whsec_the_second_secret');
  expect((await rotate({ retire_now: true })).body).toMatchObject({
    accepts_previous_webhook_secret: false,
    previous_webhook_secret_expires_at: null,
  });
  expect((await rotate({ webhook_secret: 'whsec_a_fourth_secret', retire_now: true })).body).toMatchObject({
    accepts_previous_webhook_secret: false,
    webhook_secret_last4: 'cret',
  });
  expect((await readRow(id))['previous_webhook_secret_encrypted']).toBeNull();
  expect(await rotate({ retire_now: false })).toMatchObject({ status: 400 });
});

test('the other active administrators are notified of changes of a processor, which are audited', async () => {
  const { organizationId, chapterId, admin } = stage.world;
  const [colleague, former] = [await aMember(organizationId, chapterId), await aMember(organizationId, chapterId)];
  await asOwner(
    `INSERT INTO organization_admins (organization_id, user_id, title, is_active) VALUES ($1, $2, 'Vice', true), ($1, $3, 'Once', false)`,
    [organizationId, colleague.userId, former.userId],
  );
  const id = await connectProcessor();
  await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' });
  await stage.admin.post(`${path()}${id}/disable/`);
  await stage.admin.post(`${path()}${id}/disable/`);
  const noticesOf = (userId: string) =>
    asOwner<{ kind: string; facts: object }>('SELECT kind, facts FROM account_notices WHERE user_id = $1 ORDER BY id', [
      userId,
    ]);
  const notices = await noticesOf(colleague.userId);
  const events = ['connected', 'rotated', 'disabled'];
  expect(notices.map(({ kind }) => kind)).toEqual(events.map((event) => `payment_processor_${event}`));
  for (const { facts } of notices) {
    expect(facts).toEqual({ organization: expect.any(String), processor: 'Main account', at: expect.any(String) });
  }
  expect([await noticesOf(admin.userId), await noticesOf(former.userId)]).toEqual([[], []]);
  const recorded = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    id,
  ]);
  expect(recorded.map(({ action }) => action)).toEqual(events.map((event) => `payment_processor.${event}`));
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [colleague.userId]);
});

test('each provider has an adapter, and an unknown provider is refused', async () => {
  for (const provider of PROVIDERS) expect(adapterOf(provider)).toBeDefined();
  expect(await stage.admin.post(path(), { ...processor, provider: 'authorize_net' })).toMatchObject({
    status: 400,
    body: { errors: { provider: [expect.any(String)] } },
  });
});

test('credentials that the provider does not use are refused at their field', async () => {
  await connectProcessor();
  await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE organization_id = $1', [
    stage.world.organizationId,
  ]);
  const answer = await stage.admin.post(path(), { ...processor, credentials: { location_id: 'L1' } });
  expect(answer).toMatchObject({ status: 400, body: { errors: { credentials: [expect.any(String)] } } });
});

test('the answer lists the capabilities of the provider', async () => {
  const { body } = await stage.admin.get(`${path()}${await connectProcessor()}/`);
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

  test('a Square processor is connected with a location, and no answer contains its credentials', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'square', secret_key_last4: 'ount', gateway_account_id: expect.stringMatching(/^ML/) },
    });
    const { id } = answer.body;
    expect(JSON.parse(await decryptColumn(id, 'secret_key_encrypted'))).toEqual({
      secret_key: body.secret_key,
      location_id: 'LMAIN',
    });
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await readRow(id)]);
    for (const secret of [body.secret_key, 'LMAIN', body.webhook_secret]) expect(everything).not.toContain(secret);
  });

  test.each([
    [{ credentials: undefined }, 'credentials.location_id'],
    [{ credentials: {} }, 'credentials.location_id'],
    [{ credentials: { location_id: '../merchants/me' } }, 'credentials.location_id'],
    [{ credentials: { location_id: 'XELSEWHERE' } }, 'credentials.location_id'],
    [{ credentials: { location_id: 'LMAIN', more: 'x' } }, 'credentials'],
  ])('%j is refused with 400 at %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('a revoked Square token is refused with 400 at secret_key', async () => {
    await fetch(`${square.controlUrl}/keys`, {
      method: 'POST',
      body: JSON.stringify({ key: 'EAAA_a_revoked_token', revoked: true }),
    });
    expect(await stage.admin.post(path(), { ...body, secret_key: 'EAAA_a_revoked_token' })).toMatchObject({
      status: 400,
      body: { errors: { secret_key: [expect.any(String)] } },
    });
  });

  test('the location of a Square processor is replaced while its token stays', async () => {
    const { id } = (await stage.admin.post(path(), body)).body;
    expect(await stage.admin.post(`${path()}${id}/rotate/`, { credentials: { location_id: 'LOTHER' } })).toMatchObject({
      status: 200,
      body: { secret_key_last4: 'ount' },
    });
    expect(JSON.parse(await decryptColumn(id, 'secret_key_encrypted'))).toEqual({
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

  test('a PayPal processor is connected with a client id, and no answer contains its credentials', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'paypal', secret_key_last4: 'ient', gateway_account_id: expect.any(String) },
    });
    const refunds = ['refunds', 'partial_refunds'];
    expect(answer.body.capabilities).toEqual(['remittances', 'hosted_page', ...refunds, 'reconciliation']);
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await readRow(answer.body.id)]);
    for (const secret of [body.secret_key, 'APaypal_client', body.webhook_secret])
      expect(everything).not.toContain(secret);
    expect(await stage.admin.post(`${path()}${answer.body.id}/verify/`)).toMatchObject({ body: { valid: true } });
  });

  test.each([
    [{ credentials: undefined }, 'credentials.client_id'],
    [{ credentials: { client_id: '../me' } }, 'credentials.client_id'],
    [{ credentials: { client_id: 'APaypal_client', location_id: 'L' } }, 'credentials'],
  ])('%j is refused with 400 at %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('a revoked PayPal secret is refused with 400 at secret_key', async () => {
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

  test('a Checkout.com processor is connected with a channel and a subdomain, and no answer contains its secrets', async () => {
    const answer = await stage.admin.post(path(), body);
    expect(answer).toMatchObject({
      status: 201,
      body: { provider: 'checkout', secret_key_last4: 'kkk=', gateway_account_id: `ourprefix:${channel}` },
    });
    const { capabilities } = (await stage.admin.get(`${path()}${answer.body.id}/`)).body;
    const common = ['remittances', 'hosted_page', 'refunds', 'partial_refunds', 'reconciliation'];
    expect(capabilities).toEqual([...common, 'recurring']);
    const everything = JSON.stringify([answer, await stage.admin.get(path()), await readRow(answer.body.id)]);
    for (const secret of [body.secret_key, body.webhook_secret]) expect(everything).not.toContain(secret);
    expect(await stage.admin.post(`${path()}${answer.body.id}/verify/`)).toMatchObject({ body: { valid: true } });
  });

  test('a Checkout.com key that cannot read the recorded charges is refused as another account', async () => {
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
  ])('%j is refused with 400 at %s', async (more, field) => {
    const answer = await stage.admin.post(path(), { ...body, ...more });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  });
});

test('an admin verifies the credentials of a processor, and revoked ones are reported with their field', async () => {
  const id = await connectProcessor();
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

test('a verification answers 503 while the provider does not answer', async () => {
  const id = await connectProcessor();
  await order('/faults', { kind: 'drop_before_capture', operation: 'account', times: 2 });
  expect(await stage.admin.post(`${path()}${id}/verify/`)).toMatchObject({ status: 503 });
  await fetch(`${gateway.controlUrl}/faults`, { method: 'DELETE' });
});

test('a webhook secret of another organization is refused at connection and at rotation, also in concurrent requests', async () => {
  const theirs = stage.as(stage.other.admin);
  const webhook_secret = 'whsec_wanted_by_two_at_once';
  await asOwner('UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now())');
  const answers = await Promise.all([
    stage.admin.post(path(), { ...processor, webhook_secret }),
    theirs.post(path(stage.other.organizationId), { ...processor, webhook_secret }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('webhook_secret_in_use');

  const id = await connectProcessor();
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
