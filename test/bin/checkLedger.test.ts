import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Comparison } from '../../bin/ledger/books.js';
import { compareWithProcessors } from '../../bin/ledger/processors.js';
import { printReport, verdict } from '../../bin/ledger/report.js';
import { compareWithStandIn } from '../../development/ledger/standin.js';
import { CARDS } from '../../development/standins/checkout/state.js';
import { VAULT } from '../../development/standins/paypal/money.js';
import { type Standin, startStandin } from '../../development/standins/payments/server.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { checkLedger } from '../../models/finances/checkLedger.js';
import { loadAttempt, recordIntent } from '../../models/finances/attempts/attempt.js';
import { openHostedAttempt } from '../../models/finances/attempts/hostedPayment.js';
import { loadProcessorAccess } from '../../models/finances/attempts/processorAccess.js';
import { recordInvoiceCharge } from '../../models/finances/captures/recordInvoiceCharge.js';
import { providerFacts } from '../../models/finances/payment-processors/providers.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../models/finances/remittances/settleRemittance.js';
import { connectAccount } from '../support/cardStandin.js';
import { startCheckout } from '../support/checkout.js';
import { aFoundation } from '../support/foundation.js';
import { aGift } from '../support/gifts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { opened } from '../gateways/payments/opened.js';
import { startPaypal } from '../support/paypal.js';
import { aProcessor, eventually } from '../support/platform.js';
import { startSquare } from '../support/square.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const ownerUrl = () => process.env['DATABASE_OWNER_URL'] as string;
let gateway: Standin;
let client: Client;
let world: World;

beforeAll(async () => {
  gateway = await startStandin({ port: 0, controlPort: 0 });
  Object.assign(config, { STRIPE_API_URL: gateway.url });
  client = new Client({ connectionString: ownerUrl() });
  await client.connect();
  world = await aWorld();
  await aProcessor(world);
});

afterAll(async () => {
  await client.end();
  await gateway.close();
  await closeOwner();
  await sequelize.close();
});

/** A charge that captured 100.00 at the gateway; each test decides what the platform has recorded of it. */
async function aCharge() {
  const { organizationId, chapterId, officer, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const shares = [{ invoice, amount_cents: 10_000 }];
  const remittanceId = await inTenant(organizationId, () => createRemittance(chapterId, shares, officer.userId));
  const { attemptId } = await inTenant(organizationId, () =>
    beginPayment(remittanceId, 'pm_card_visa', officer.userId),
  );
  const attempt = await inTenant(organizationId, () => loadAttempt(attemptId));
  const port = paymentPort(attempt.access);
  const reference = { organization_id: organizationId, remittance_id: remittanceId, attempt_id: attemptId };
  const intentId = await opened(port, {
    amountCents: 10_000,
    currency: 'usd',
    reference,
    idempotencyKey: `open:${attemptId}`,
  });
  await inTenant(organizationId, () => recordIntent(attemptId, intentId));
  await port.confirmCharge({ intentId, paymentMethod: 'pm_card_visa', idempotencyKey: `confirm:${attemptId}` });
  const settle = (amountCents = 10_000) =>
    inTenant(organizationId, () =>
      settleRemittance({ remittanceId, processorId: attempt.processorId, intentId, amountCents }),
    );
  return { intentId, attemptId, settle };
}

const processors = async (): Promise<string[]> =>
  (await asOwner<{ id: string }>('SELECT id FROM org_payment_processors ORDER BY id')).map(({ id }) => id);

const secretKey = async (): Promise<string> => {
  const [processor] = await processors();
  const access = await inTenant(world.organizationId, () => loadProcessorAccess(processor ?? ''));
  return access.credentials.secret_key;
};

const fail = (attemptId: string) =>
  asOwner("UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE id = $1", [attemptId]);
const compare = async (now = 0): Promise<Comparison[]> => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + now);
  try {
    const since = new Date('2000-01-01');
    return [
      await compareWithStandIn(client, gateway.ledgerUrl),
      ...(await compareWithProcessors(client, since)).comparisons,
    ];
  } finally {
    clock.mockRestore();
  }
};
const HOUR = 3_600_000;

test('a settled charge agrees on both sides', async () => {
  const { settle } = await aCharge();
  await settle();
  const [moved, processor] = await compare(HOUR);
  expect(moved).toMatchObject({ examined: 1, inFlight: 0, violations: [] });
  expect(processor).toMatchObject({ examined: 1, inFlight: 0, violations: [] });
});

test('a charge whose attempt has not ended is pending, however old it is', async () => {
  const { settle } = await aCharge();
  for (const comparison of await compare(HOUR)) expect(comparison).toMatchObject({ inFlight: 1, violations: [] });
  await settle();
});

test('a paid hosted page without an event is pending until its attempt ends, and then its money is missing', async () => {
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const { attemptId } = await inTenant(organizationId, () => openHostedAttempt(invoice, member.userId));
  const port = paymentPort({ provider: 'stripe', credentials: { secret_key: await secretKey() } });
  const reference = { organization_id: organizationId, invoice_id: invoice, attempt_id: attemptId };
  const intentId = await opened(port, {
    amountCents: 10_000,
    currency: 'usd',
    reference,
    idempotencyKey: `page:${attemptId}`,
  });
  await port.confirmCharge({ intentId, paymentMethod: 'pm_card_visa', idempotencyKey: `paid:${attemptId}` });
  const ofProcessor = async (now: number) => (await compare(now))[1] as Comparison;
  expect(await ofProcessor(HOUR)).toMatchObject({ inFlight: 1, violations: [] });
  expect(
    verdict({ ...(await checkLedger(ownerUrl())), violations: [], passed: true }, [await ofProcessor(0)]),
  ).toContain('In flight, which is no fault: 1 charge.');
  await asOwner('UPDATE payment_attempts SET checkout_keys = 2, checkout_asked_at = now() WHERE id = $1', [attemptId]);
  await fail(attemptId);
  expect(await ofProcessor(0)).toMatchObject({ inFlight: 1, violations: [] });
  await asOwner('UPDATE payment_attempts SET checkout_closed_at = now() WHERE id = $1', [attemptId]);
  expect(await ofProcessor(0)).toMatchObject({ inFlight: 0, violations: [{ intent_id: intentId }] });
  const charge = { processorId: (await processors())[0] ?? '', intentId, invoiceId: invoice, attemptId };
  await inTenant(organizationId, () => recordInvoiceCharge({ ...charge, amountCents: 10_000, currency: 'usd' }));
  expect(await ofProcessor(0)).toMatchObject({ inFlight: 0, violations: [] });
});

test('money that was captured and not recorded is found from both sides, at once when its attempt has ended', async () => {
  const { intentId, attemptId, settle } = await aCharge();
  await fail(attemptId);
  for (const comparison of [...(await compare()), ...(await compare(HOUR))]) {
    expect(comparison.violations).toMatchObject([{ problem: 'captured, and neither recorded nor flagged' }]);
    expect(JSON.stringify(comparison.violations)).toContain(intentId);
  }
  await settle();
  for (const comparison of await compare(HOUR)) expect(comparison.violations).toEqual([]);
});

test("a capture recorded with another amount than the processor's is found", async () => {
  const { settle, intentId } = await aCharge();
  await settle(9_999);
  for (const comparison of await compare(HOUR)) {
    expect(comparison.violations).toMatchObject([{ problem: 'captured amount differs from the recorded amount' }]);
  }
  await asOwner('UPDATE processor_captures SET amount_cents = 10000 WHERE intent_id = $1', [intentId]);
});

test('a refund whose event was lost and a failed refund that is recorded are found from both sides', async () => {
  const { settle, intentId } = await aCharge();
  await settle();
  const attempt = await fetch(`${gateway.url}/v1/refunds`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await secretKey()}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `payment_intent=${intentId}&amount=4000`,
  });
  expect(attempt.status).toBe(200);
  const refund = (await attempt.json()) as { id: string };
  const another = (refunded_cents: number, noted_cents: number) => [
    { problem: 'refunded amount differs from the recorded amount', refunded_cents, noted_cents },
  ];
  for (const { violations } of await compare(HOUR)) expect(violations).toMatchObject(another(4_000, 0));
  await asOwner('UPDATE processor_captures SET refunded_cents = 4000 WHERE intent_id = $1', [intentId]);
  for (const { violations } of await compare(HOUR)) expect(violations).toEqual([]);
  await fetch(`${gateway.controlUrl}/refunds`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refund: refund.id, status: 'failed' }),
  });
  for (const { violations } of await compare(HOUR)) expect(violations).toMatchObject(another(0, 4_000));
  await asOwner('UPDATE processor_captures SET refunded_cents = 0 WHERE intent_id = $1', [intentId]);
});

test('a recorded capture that is unknown at the processor is found', async () => {
  const { settle, intentId } = await aCharge();
  await settle();
  await asOwner('UPDATE processor_captures SET intent_id = $2 WHERE intent_id = $1', [intentId, 'pi_invented']);
  const [, processor] = await compare();
  expect(processor?.violations).toContainEqual(
    expect.objectContaining({ intent_id: 'pi_invented', captured_cents: 0, noted_cents: 10_000 }),
  );
});

test('the charge and the refund of a gift are compared from both sides', async () => {
  const { organizationId } = world;
  const foundation = await aFoundation(world);
  const { donationId, captureId } = await aGift(organizationId, foundation, { cents: 10_000 });
  const port = paymentPort({ provider: 'stripe', credentials: { secret_key: foundation.secretKey } });
  const reference = { organization_id: organizationId, donation_id: donationId };
  const charge = { amountCents: 10_000, currency: 'usd', reference, idempotencyKey: `open:${donationId}` };
  const intentId = await opened(port, charge);
  await port.confirmCharge({ intentId, paymentMethod: 'pm_card_visa', idempotencyKey: `confirm:${donationId}` });
  const isOfGift = (violation: Record<string, unknown>) => JSON.stringify(violation).includes(intentId);
  const bothSides = async () => {
    const [standin, ...others] = await compare(HOUR);
    const processor = others.find(({ name }) => name.includes(foundation.processorId));
    return [standin, processor].map((one) => one?.violations.filter(isOfGift));
  };
  const missing = [{ problem: 'captured, and neither recorded nor flagged' }];
  expect(await bothSides()).toMatchObject([missing, missing]);
  await asOwner('UPDATE processor_captures SET intent_id = $2 WHERE id = $1', [captureId, intentId]);
  expect(await bothSides()).toEqual([[], []]);
  const refund = { intentId, amountCents: 4_000, refundId: randomUUID(), reference };
  await port.refundCharge({ ...refund, idempotencyKey: `refund:${refund.refundId}` });
  const unrecorded = [
    { problem: 'refunded amount differs from the recorded amount', refunded_cents: 4_000, noted_cents: 0 },
  ];
  expect(await bothSides()).toMatchObject([unrecorded, unrecorded]);
  await asOwner('UPDATE processor_captures SET refunded_cents = 4000 WHERE id = $1', [captureId]);
  expect(await bothSides()).toEqual([[], []]);
});

test('a processor with a revoked key is named, and the others are compared, disabled or not', async () => {
  const neighbour = await aWorld({ members: 1 });
  const revoked = await aProcessor(neighbour);
  const retired = await aProcessor(await aWorld({ members: 1 }));
  await asOwner('UPDATE org_payment_processors SET disabled_at = now() WHERE id = ANY($1)', [[revoked, retired]]);
  await fetch(`${gateway.controlUrl}/keys`, {
    method: 'POST',
    body: JSON.stringify({ key: accountKeyOf(revoked), revoked: true }),
  });
  const { comparisons, notQueried } = await compareWithProcessors(client, new Date('2000-01-01'));
  expect(notQueried).toEqual([
    `Processor ${revoked} of organization ${neighbour.organizationId} (disabled) could not be queried: the provider refuses its key.`,
  ]);
  expect(comparisons.map(({ name }) => name)).toContainEqual(expect.stringContaining(retired));
  const check = { ...(await checkLedger(ownerUrl())), violations: [], passed: true };
  const lines: string[] = [];
  expect(printReport(check, [], notQueried.length, (line) => lines.push(line))).toBe(false);
  expect(lines.at(-1)).toMatch(/^Ledger check INCOMPLETE: 1 processors? could not be queried/);
  expect(printReport(check, [], 0, () => undefined)).toBe(true);
});

test('the report names every rule and every violation, and ends with the result', async () => {
  const check = await checkLedger(ownerUrl());
  const lines: string[] = [];
  const comparison = { name: 'a gateway', examined: 1, inFlight: 2, violations: [{ intent_id: 'pi_1' }] };
  expect(printReport(check, [comparison], 0, (line: string) => lines.push(line))).toBe(false);
  expect(lines.some((line) => line.includes('BROKEN') && line.includes('a gateway (2 in flight)'))).toBe(true);
  expect(lines.at(-1)).toMatch(/^Ledger check FAILED: \d+ violations? in \d+ rows examined\.$/);
});

const key = (letter: string) => letter.repeat(26);
test.each([
  ['square', startSquare, { secret_key: 'EAAA_of_the_ledger', location_id: 'LTEST' }, 'cnon:card-nonce-ok'],
  ['paypal', startPaypal, { secret_key: 'EPaypal_of_the_ledger', client_id: 'APaypal_of_it' }, VAULT.good],
  [
    'checkout',
    startCheckout,
    { secret_key: `sk_sbox_${key('k')}=`, processing_channel_id: `pc_${key('c')}`, subdomain: 'ledger' },
    CARDS.good,
  ],
] as const)(
  'captures and refunds of %s are compared with the records by its lists, and a refused key is named',
  async (provider, start, credentials, paymentMethod) => {
    const standin = await start();
    try {
      const there = await aWorld({ members: 1 });
      const id = await connectAccount(there, provider, (of) => ({ credentials, webhookSecret: `signature_${of}` }));
      const invoiceId = await anInvoice(there, { chapterId: there.chapterId, membershipId: there.member.membershipId });
      const port = paymentPort({ provider, credentials });
      const { organizationId: organization_id } = there;
      const reference = { organization_id, processor_id: id, invoice_id: invoiceId, attempt_id: invoiceId };
      const charge = { amountCents: 10_000, currency: 'usd', reference, paymentMethod };
      const intentId = await opened(port, { ...charge, idempotencyKey: `open:${id}` });
      await port.confirmCharge({ intentId, paymentMethod, idempotencyKey: `confirm:${id}` });
      await eventually(
        () => port.readCharge(intentId),
        ({ status }) => status === 'captured',
      );
      /** The time at which its list is complete. */
      const compared = async () => {
        const later = providerFacts(provider).listCompleteAfterMinutes * 60_000;
        const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later + 2_000);
        try {
          return await compareWithProcessors(client, new Date(Date.now() - later - 3_600_000), [provider]);
        } finally {
          clock.mockRestore();
        }
      };
      const violations = async () => (await compared()).comparisons.flatMap((one) => one.violations);
      const missing = { problem: 'captured, and neither recorded nor flagged', captured_cents: 10_000 };
      expect(await violations()).toMatchObject([{ ...missing, intent_id: intentId }]);
      await inTenant(organization_id, () =>
        recordInvoiceCharge({
          processorId: id,
          intentId,
          amountCents: 10_000,
          currency: 'usd',
          invoiceId,
          attemptId: null,
        }),
      );
      expect(await violations()).toEqual([]);
      const refund = {
        intentId,
        amountCents: 4_000,
        refundId: randomUUID(),
        reference,
        idempotencyKey: `refund:${id}`,
      };
      await port.refundCharge(refund);
      await eventually(
        () => port.readRefunds(intentId),
        ([made]) => made?.status === 'refunded',
      );
      expect(await violations()).toMatchObject([{ intent_id: intentId, refunded_cents: 4_000, noted_cents: 0 }]);
      await asOwner('UPDATE processor_captures SET refunded_cents = 4000, intent_id = $2 WHERE intent_id = $1', [
        intentId,
        `${intentId.slice(0, -1)}${intentId.endsWith('2') ? '3' : '2'}`,
      ]);
      const invented = { problem: 'recorded as captured, but the processor reports another amount', captured_cents: 0 };
      expect(await violations()).toMatchObject([missing, invented]);
      const revoked =
        provider === 'paypal'
          ? ['/clients', { client_id: 'APaypal_of_it', secret: credentials.secret_key }]
          : ['/keys', { key: credentials.secret_key }];
      await standin.order('POST', revoked[0] as string, { ...(revoked[1] as object), revoked: true });
      const { comparisons, notQueried } = await compared();
      expect([comparisons, notQueried]).toEqual([
        [],
        [`Processor ${id} of organization ${organization_id} could not be queried: the provider refuses its key.`],
      ]);
    } finally {
      await standin.close();
    }
  },
);
