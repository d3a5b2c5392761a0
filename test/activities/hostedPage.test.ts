import { MockActivityEnvironment } from '@temporalio/testing';
import { activityInterceptors } from '../../activities/interceptors.js';
import StripeSdk from 'stripe';
import { lookAtPage, openPage } from '../../activities/finances/hostedPage.js';
import { CredentialsRefused } from '../../gateways/payments/port.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { openHostedAttempt } from '../../models/finances/attempts/hostedPayment.js';
import { flagStrayCapture } from '../../models/finances/captures/flagStrayCapture.js';
import { recordInvoiceCharge } from '../../models/finances/captures/recordInvoiceCharge.js';
import { readProcessor } from '../../models/finances/payment-processors/processor.js';
import type { HostedPageInput } from '../../workflows/contracts/hostedPage.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;
let stripe: StripeSdk;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  stripe = new StripeSdk(accountKeyOf(processor), {
    ...stripeAddress(platform.gateway.url),
    maxNetworkRetries: 0,
    telemetry: false,
  });
});
afterEach(async () => {
  await platform.clearFaults();
  await expectSoundLedger();
});
afterAll(() => platform.close());

/** An attempt whose hosted page has not been requested yet. */
async function anAttempt(): Promise<HostedPageInput & { invoice: string }> {
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 4_200 });
  const { attemptId } = await inTenant(organizationId, () => openHostedAttempt(invoice, member.userId));
  return { organizationId, attemptId, invoice };
}

type Step<T> = (input: HostedPageInput) => Promise<T>;

const run = <T>(step: Step<T>, input: HostedPageInput, attempt = 1): Promise<T> =>
  new MockActivityEnvironment({ attempt }, { interceptors: [activityInterceptors('payments')] }).run(
    step as never,
    input,
  );
/** Runs a step as the first and then as a later attempt of Temporal. */
const twice = async <T>(step: Step<T>, input: HostedPageInput): Promise<[T, T]> => [
  await run(step, input, 1),
  await run(step, input, 2),
];

const attemptOf = async ({ attemptId }: HostedPageInput) =>
  (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [attemptId]))[0];
const change = (input: HostedPageInput, columns: string) =>
  asOwner(`UPDATE payment_attempts SET ${columns} WHERE id = $1`, [input.attemptId]);
const sessions = async () => (await stripe.checkout.sessions.list({ limit: 100 })).data;

async function payOn(sessionId: string): Promise<void> {
  await fetch(`${platform.gateway.url}/c/pay/${sessionId}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  });
}

/** An attempt with an open hosted page. */
async function aPage() {
  const input = await anAttempt();
  await run(openPage, input);
  const [session] = await sessions();
  return { ...input, sessionId: session?.id ?? '' };
}

/** Opens a second page under the same attempt, like an opening whose answer was lost. */
const lostPage = (input: HostedPageInput, capture_method: 'automatic' | 'manual' = 'automatic') => {
  const metadata = {
    organization_id: input.organizationId,
    processor_id: processor,
    invoice_id: (input as { invoice?: string }).invoice ?? '',
    attempt_id: input.attemptId,
  };
  return stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 4_200, product_data: { name: 'Dues' } } }],
    metadata,
    payment_intent_data: { metadata, capture_method },
    success_url: 'https://example.org',
  });
};

const again = { ended: null, lookAgainInSeconds: expect.any(Number) };
const closed = { ended: 'closed', lookAgainInSeconds: 0 };
const paid = { ended: 'paid', lookAgainInSeconds: 0 };

test('opening a hosted page twice opens one page', async () => {
  const input = await anAttempt();
  await twice(openPage, input);
  expect(await sessions()).toHaveLength(1);
  expect(await attemptOf(input)).toMatchObject({
    checkout_session_id: expect.stringMatching(/^cs_/),
    checkout_keys: 1,
  });
});

test('a failed opening uses a new key after two attempts and looks for an opened page before each', async () => {
  const input = await anAttempt();
  await platform.fault({ kind: 'error_before_capture', operation: 'checkout' });
  for (const attempt of [1, 2]) await expect(run(openPage, input, attempt)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ checkout_keys: 1, checkout_session_id: null });
  await run(openPage, input, 3);
  expect(await attemptOf(input)).toMatchObject({ checkout_keys: 2, checkout_session_id: expect.any(String) });
  expect(await sessions()).toHaveLength(1);
});

test('a check of an open page finds it open and schedules the next check after 15 minutes', async () => {
  const input = await aPage();
  const [, second] = await twice(lookAtPage, input);
  expect(second).toEqual(again);
  expect(Math.round(second.lookAgainInSeconds / 60)).toBe(15);
});

test('two checks of a paid page record the payment once', async () => {
  const input = await aPage();
  await payOn(input.sessionId);
  expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
  expect(await asOwner('SELECT amount_cents::int FROM payment_records WHERE invoice_id = $1', [input.invoice])).toEqual(
    [{ amount_cents: 4_200 }],
  );
});

test('the event and the check record one payment, in any order', async () => {
  const input = await aPage();
  await payOn(input.sessionId);
  const [intent] = (await stripe.paymentIntents.list()).data;
  const charge = {
    processorId: processor,
    intentId: intent?.id ?? '',
    invoiceId: input.invoice,
    amountCents: 4_200,
    currency: 'usd',
    attemptId: input.attemptId,
  };
  const event = () => inTenant(input.organizationId, () => recordInvoiceCharge(charge));
  await Promise.all([event(), run(lookAtPage, input), event(), run(lookAtPage, input), event()]);
  expect(await asOwner('SELECT id FROM payment_records WHERE invoice_id = $1', [input.invoice])).toHaveLength(1);
  expect(await asOwner('SELECT id FROM processor_captures WHERE processor_id = $1', [processor])).toHaveLength(1);
  expect(await attemptOf(input)).toMatchObject({ status: 'succeeded' });
});

test('money that was flagged for an administrator is not credited by the check', async () => {
  const input = await aPage();
  await payOn(input.sessionId);
  const [intent] = (await stripe.paymentIntents.list()).data;
  const charge = { processorId: processor, intentId: intent?.id ?? '', amountCents: 4_200, currency: 'usd' };
  await inTenant(input.organizationId, () => flagStrayCapture(charge));
  const flagged = { ended: 'flagged', lookAgainInSeconds: 0 };
  expect(await twice(lookAtPage, input)).toEqual([flagged, flagged]);
  expect(await asOwner('SELECT id FROM payment_records WHERE invoice_id = $1', [input.invoice])).toEqual([]);
});

test('a page to be closed is closed once, and its attempt fails with the reason', async () => {
  const input = await aPage();
  await change(input, "closing_since = now(), closing_reason = 'amount_changed'");
  expect(await twice(lookAtPage, input)).toEqual([closed, closed]);
  expect(await attemptOf(input)).toMatchObject({
    status: 'failed',
    failure_code: 'amount_changed',
    failure_message: 'The amount due has changed.',
  });
});

test('an expired page is closed at the gateway before its attempt fails', async () => {
  const input = await aPage();
  await change(input, "checkout_expires_at = now() - interval '1 second'");
  expect(await run(lookAtPage, input)).toEqual(closed);
  expect(await sessions()).toMatchObject([{ status: 'expired' }]);
  expect(await attemptOf(input)).toMatchObject({ failure_code: 'expired' });
});

test('a page whose opening was not answered is found and closed together with the known page', async () => {
  const input = await aPage();
  await lostPage(input);
  await change(input, 'checkout_keys = 2');
  expect(await run(lookAtPage, input)).toEqual(again);
  expect(new Set((await sessions()).map(({ status }) => status))).toEqual(new Set(['expired', 'open']));
  await change(input, "closing_since = now(), closing_reason = 'cancelled'");
  expect(await run(lookAtPage, input)).toEqual(again);
  expect((await sessions()).map(({ status }) => status)).toEqual(['expired', 'expired']);
});

describe('an attempt with two pages, opened under two keys', () => {
  let input: HostedPageInput & { invoice: string; sessionId: string };
  let sibling: string;

  beforeEach(async () => {
    input = await aPage();
    sibling = (await lostPage(input)).id;
    await change(input, 'checkout_keys = 2');
  });

  const statusOf = async (id: string) => (await stripe.checkout.sessions.retrieve(id)).status;
  const credit = () =>
    asOwner('SELECT kind, amount_cents::int FROM chapter_account_credits WHERE organization_id = $1', [
      world.organizationId,
    ]);
  const endOpeningRequest = () => change(input, "checkout_asked_at = now() - interval '11 minutes'");
  /** Records the payment as its event does, possibly before a check. */
  const eventOf = async (sessionId: string) => {
    const { payment_intent: intentId } = await stripe.checkout.sessions.retrieve(sessionId);
    const charge = { processorId: processor, intentId: intentId as string, amountCents: 4_200, currency: 'usd' };
    await inTenant(input.organizationId, () =>
      recordInvoiceCharge({ ...charge, invoiceId: input.invoice, attemptId: input.attemptId }),
    );
  };

  test('an event about a payment on the first page closes the second page', async () => {
    await payOn(input.sessionId);
    await eventOf(input.sessionId);
    expect(await attemptOf(input)).toMatchObject({ status: 'succeeded', checkout_closed_at: null });
    expect(await twice(lookAtPage, input)).toEqual([again, again]);
    expect(await statusOf(sibling)).toBe('expired');
    await endOpeningRequest();
    expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
    expect(await attemptOf(input)).toMatchObject({ checkout_closed_at: expect.any(Date) });
    expect(await credit()).toEqual([]);
  });

  test.each([
    ['an event reports it', true],
    ['only a check finds it', false],
  ])('the page shown to the payer is closed when the other one was paid and %s', async (_, reported) => {
    await payOn(sibling);
    if (reported) await eventOf(sibling);
    await endOpeningRequest();
    expect(await run(lookAtPage, input)).toEqual(paid);
    expect(await statusOf(input.sessionId)).toBe('expired');
    expect(await credit()).toEqual([]);
  });

  test.each([
    ['an event ended the attempt first', true],
    ['no event arrived', false],
  ])('payments on both pages are recorded, the second as credit: %s', async (_, reported) => {
    await payOn(input.sessionId);
    await payOn(sibling);
    if (reported) await eventOf(sibling);
    await endOpeningRequest();
    expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
    expect(await credit()).toEqual([{ kind: 'issued', amount_cents: 4_200 }]);
    expect(await asOwner('SELECT id FROM processor_captures WHERE processor_id = $1', [processor])).toHaveLength(2);
  });

  test('a page that appears after the attempt has ended is closed', async () => {
    await change(input, "closing_since = now(), closing_reason = 'invoice_void'");
    expect(await run(lookAtPage, input)).toEqual(again);
    expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'invoice_void' });
    const late = (await lostPage(input)).id;
    await endOpeningRequest();
    expect(await run(lookAtPage, input)).toEqual(closed);
    expect(await statusOf(late)).toBe('expired');
  });

  test('a pending bank payment on one page closes the other pages and keeps the attempt pending', async () => {
    const slow = await lostPage(input, 'manual');
    await payOn(slow.id);
    expect(await run(lookAtPage, input)).toEqual(again);
    expect(await sessions()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: input.sessionId, status: 'expired' }),
        expect.objectContaining({ id: sibling, status: 'expired' }),
      ]),
    );
    expect(await attemptOf(input)).toMatchObject({ status: 'pending', intent_id: expect.stringMatching(/^pi_/) });
  });
});

describe('a hosted page whose key was revoked', () => {
  const revoke = (revoked: boolean) => platform.changeKey({ key: accountKeyOf(processor), revoked });
  const twoDaysPass = (input: HostedPageInput) =>
    change(
      input,
      `created_at = created_at - interval '2 days', checkout_asked_at = checkout_asked_at - interval '2 days',
       checkout_expires_at = checkout_expires_at - interval '2 days', finished_at = finished_at - interval '2 days'`,
    );
  const isUnderWay = () =>
    inTenant(world.organizationId, async () => (await readProcessor(processor, 'dues')).has_work_under_way);

  test('a paid page with a revoked key ends by itself once no page can be open any more', async () => {
    const input = await aPage();
    await payOn(input.sessionId);
    await run(lookAtPage, input);
    await change(input, 'checkout_closed_at = NULL');
    await revoke(true);
    await expect(run(lookAtPage, input)).rejects.toThrow(CredentialsRefused);
    expect(await isUnderWay()).toBe(true);
    await twoDaysPass(input);
    expect(await run(lookAtPage, input)).toEqual(paid);
    // Its event waits for a worker, and none runs here.
    await eventually(
      () =>
        asOwner(
          `UPDATE webhook_events SET processed_at = now(), outcome = 'ignored' WHERE processor_id = $1 RETURNING id`,
          [processor],
        ),
      ({ length }) => length > 0,
    );
    expect(await isUnderWay()).toBe(false);
  });

  test('a page that was never shown fails after its expiry, and one that may have been paid waits for the key', async () => {
    const hiddenPage = await anAttempt();
    await platform.fault({ kind: 'drop_after_capture', operation: 'checkout', times: 2 });
    await expect(run(openPage, hiddenPage)).rejects.toThrow();
    await revoke(true);
    await expect(run(lookAtPage, hiddenPage)).rejects.toThrow(CredentialsRefused);
    await twoDaysPass(hiddenPage);
    expect(await run(lookAtPage, hiddenPage)).toEqual(closed);
    expect(await attemptOf(hiddenPage)).toMatchObject({ failure_code: 'gateway_unavailable' });

    await revoke(false);
    const shownPage = await aPage();
    await payOn(shownPage.sessionId);
    await revoke(true);
    await twoDaysPass(shownPage);
    await expect(run(lookAtPage, shownPage)).rejects.toThrow(CredentialsRefused);
    await revoke(false);
    expect(await run(lookAtPage, shownPage)).toEqual(paid);
  });
});

test('an attempt whose page the gateway may still open does not end until ten minutes after the request', async () => {
  const input = await anAttempt();
  await platform.fault({ kind: 'drop_before_capture', operation: 'checkout', times: 2 });
  await expect(run(openPage, input)).rejects.toThrow();
  await change(input, "closing_since = now(), closing_reason = 'invoice_void'");
  await run(openPage, input, 2);
  await expect(run(lookAtPage, input)).rejects.toThrow('may still be opening');
  await change(input, "checkout_asked_at = now() - interval '11 minutes'");
  expect(await run(lookAtPage, input)).toEqual(closed);
  expect(await sessions()).toEqual([]);
});

test('an attempt that could not be opened for an hour is not opened any more', async () => {
  const input = await anAttempt();
  await change(input, "created_at = now() - interval '61 minutes'");
  await twice(openPage, input);
  expect(await run(lookAtPage, input)).toEqual(closed);
  expect(await sessions()).toEqual([]);
  expect(await attemptOf(input)).toMatchObject({ failure_code: 'gateway_unavailable' });
});

test('a page with a pending bank payment is neither paid nor ended', async () => {
  const input = await aPage();
  const slow = await lostPage(input, 'manual');
  await change(input, `checkout_session_id = '${slow.id}', closing_since = now(), closing_reason = 'invoice_paid'`);
  await payOn(slow.id);
  expect(await twice(lookAtPage, input)).toEqual([again, again]);
  expect(await attemptOf(input)).toMatchObject({ status: 'pending', intent_id: expect.stringMatching(/^pi_/) });
  await expect(
    inTenant(input.organizationId, () => openHostedAttempt(input.invoice, world.member.userId)),
  ).resolves.toMatchObject({ attemptId: input.attemptId });
});

test('a step of a missing attempt fails without retry', async () => {
  const input = { ...(await anAttempt()), attemptId: world.member.membershipId };
  for (const step of [openPage, lookAtPage] as Step<unknown>[])
    await expect(run(step, input)).rejects.toMatchObject({ type: 'NotFound', nonRetryable: true });
});
