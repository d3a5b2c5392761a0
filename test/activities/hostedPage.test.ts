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

/** An attempt whose page nobody has asked for yet. */
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
/** Runs a step as the first, and then as a later try of Temporal. */
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

/** An attempt whose page is open. */
async function aPage() {
  const input = await anAttempt();
  await run(openPage, input);
  const [session] = await sessions();
  return { ...input, sessionId: session?.id ?? '' };
}

/** A second page under the same attempt, as one whose opening's answer got lost. */
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

test('opening a page twice opens one', async () => {
  const input = await anAttempt();
  await twice(openPage, input);
  expect(await sessions()).toHaveLength(1);
  expect(await attemptOf(input)).toMatchObject({
    checkout_session_id: expect.stringMatching(/^cs_/),
    checkout_keys: 1,
  });
});

test('an opening is asked for under another key after two tries, and looked for before each', async () => {
  const input = await anAttempt();
  await platform.fault({ kind: 'error_before_capture', operation: 'checkout' });
  for (const attempt of [1, 2]) await expect(run(openPage, input, attempt)).rejects.toThrow();
  expect(await attemptOf(input)).toMatchObject({ checkout_keys: 1, checkout_session_id: null });
  await run(openPage, input, 3);
  expect(await attemptOf(input)).toMatchObject({ checkout_keys: 2, checkout_session_id: expect.any(String) });
  expect(await sessions()).toHaveLength(1);
});

test('looking twice at an open page finds it open, and 15 minutes later is time for the next look', async () => {
  const input = await aPage();
  const [, second] = await twice(lookAtPage, input);
  expect(second).toEqual(again);
  expect(Math.round(second.lookAgainInSeconds / 60)).toBe(15);
});

test('looking twice at a page that was paid records it once', async () => {
  const input = await aPage();
  await payOn(input.sessionId);
  expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
  expect(await asOwner('SELECT amount_cents::int FROM payment_records WHERE invoice_id = $1', [input.invoice])).toEqual(
    [{ amount_cents: 4_200 }],
  );
});

test('the event and the look record one payment, whoever comes first', async () => {
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

test('money that was kept for an administrator before is not credited by the look', async () => {
  const input = await aPage();
  await payOn(input.sessionId);
  const [intent] = (await stripe.paymentIntents.list()).data;
  const charge = { processorId: processor, intentId: intent?.id ?? '', amountCents: 4_200, currency: 'usd' };
  await inTenant(input.organizationId, () => flagStrayCapture(charge));
  const flagged = { ended: 'flagged', lookAgainInSeconds: 0 };
  expect(await twice(lookAtPage, input)).toEqual([flagged, flagged]);
  expect(await asOwner('SELECT id FROM payment_records WHERE invoice_id = $1', [input.invoice])).toEqual([]);
});

test('a page that is to be closed is closed once, and ends with its reason', async () => {
  const input = await aPage();
  await change(input, "closing_since = now(), closing_reason = 'amount_changed'");
  expect(await twice(lookAtPage, input)).toEqual([closed, closed]);
  expect(await attemptOf(input)).toMatchObject({
    status: 'failed',
    failure_code: 'amount_changed',
    failure_message: 'The amount due has changed.',
  });
});

test('a page past its end is closed at the gateway before it is called over', async () => {
  const input = await aPage();
  await change(input, "checkout_expires_at = now() - interval '1 second'");
  expect(await run(lookAtPage, input)).toEqual(closed);
  expect(await sessions()).toMatchObject([{ status: 'expired' }]);
  expect(await attemptOf(input)).toMatchObject({ failure_code: 'expired' });
});

test('a page of which nobody has heard is found, and closed with the one that is known', async () => {
  const input = await aPage();
  await lostPage(input);
  await change(input, 'checkout_keys = 2');
  expect(await run(lookAtPage, input)).toEqual(again);
  expect(new Set((await sessions()).map(({ status }) => status))).toEqual(new Set(['expired', 'open']));
  await change(input, "closing_since = now(), closing_reason = 'cancelled'");
  expect(await run(lookAtPage, input)).toEqual(again);
  expect((await sessions()).map(({ status }) => status)).toEqual(['expired', 'expired']);
});

describe('an attempt whose opening was asked for under two keys, and has made two pages', () => {
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
  const noRequestIsUnderWay = () => change(input, "checkout_asked_at = now() - interval '11 minutes'");
  /** What its event does: it may come before anybody looks. */
  const eventOf = async (sessionId: string) => {
    const { payment_intent: intentId } = await stripe.checkout.sessions.retrieve(sessionId);
    const charge = { processorId: processor, intentId: intentId as string, amountCents: 4_200, currency: 'usd' };
    await inTenant(input.organizationId, () =>
      recordInvoiceCharge({ ...charge, invoiceId: input.invoice, attemptId: input.attemptId }),
    );
  };

  test('closes the second when an event says that the first was paid', async () => {
    await payOn(input.sessionId);
    await eventOf(input.sessionId);
    expect(await attemptOf(input)).toMatchObject({ status: 'succeeded', checkout_closed_at: null });
    expect(await twice(lookAtPage, input)).toEqual([again, again]);
    expect(await statusOf(sibling)).toBe('expired');
    await noRequestIsUnderWay();
    expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
    expect(await attemptOf(input)).toMatchObject({ checkout_closed_at: expect.any(Date) });
    expect(await credit()).toEqual([]);
  });

  test.each([
    ['an event says so', true],
    ['only a look finds out', false],
  ])('closes the page that people are led to when the other was paid, and %s', async (_, told) => {
    await payOn(sibling);
    if (told) await eventOf(sibling);
    await noRequestIsUnderWay();
    expect(await run(lookAtPage, input)).toEqual(paid);
    expect(await statusOf(input.sessionId)).toBe('expired');
    expect(await credit()).toEqual([]);
  });

  test.each([
    ['an event ended the attempt first', true],
    ['nobody told of either', false],
  ])('records both payments where both were paid, the second as credit: %s', async (_, told) => {
    await payOn(input.sessionId);
    await payOn(sibling);
    if (told) await eventOf(sibling);
    await noRequestIsUnderWay();
    expect(await twice(lookAtPage, input)).toEqual([paid, paid]);
    expect(await credit()).toEqual([{ kind: 'issued', amount_cents: 4_200 }]);
    expect(await asOwner('SELECT id FROM processor_captures WHERE processor_id = $1', [processor])).toHaveLength(2);
  });

  test('closes one that came into being after the attempt had ended', async () => {
    await change(input, "closing_since = now(), closing_reason = 'invoice_void'");
    expect(await run(lookAtPage, input)).toEqual(again);
    expect(await attemptOf(input)).toMatchObject({ status: 'failed', failure_code: 'invoice_void' });
    const late = (await lostPage(input)).id;
    await noRequestIsUnderWay();
    expect(await run(lookAtPage, input)).toEqual(closed);
    expect(await statusOf(late)).toBe('expired');
  });

  test('waits for a payment on the second that a bank takes days for, and leads nobody to the first meanwhile', async () => {
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

describe('a page whose key was revoked', () => {
  const revoke = (revoked: boolean) => platform.changeKey({ key: accountKeyOf(processor), revoked });
  const twoDaysPass = (input: HostedPageInput) =>
    change(
      input,
      `created_at = created_at - interval '2 days', checkout_asked_at = checkout_asked_at - interval '2 days',
       checkout_expires_at = checkout_expires_at - interval '2 days', finished_at = finished_at - interval '2 days'`,
    );
  const isUnderWay = () =>
    inTenant(world.organizationId, async () => (await readProcessor(processor)).has_work_under_way);

  test('after it was paid is closed when the key is back, and is over by itself when no page lives any more', async () => {
    const input = await aPage();
    await payOn(input.sessionId);
    await run(lookAtPage, input);
    await change(input, 'checkout_closed_at = NULL');
    await revoke(true);
    await expect(run(lookAtPage, input)).rejects.toThrow(CredentialsRefused);
    expect(await isUnderWay()).toBe(true);
    await twoDaysPass(input);
    expect(await run(lookAtPage, input)).toEqual(paid);
    // Its event waits for a worker, which there is none of here.
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

  test('and which nobody was ever led to is given up when no page lives any more; one that may have been paid is not', async () => {
    const unseen = await anAttempt();
    await platform.fault({ kind: 'drop_after_capture', operation: 'checkout', times: 2 });
    await expect(run(openPage, unseen)).rejects.toThrow();
    await revoke(true);
    await expect(run(lookAtPage, unseen)).rejects.toThrow(CredentialsRefused);
    await twoDaysPass(unseen);
    expect(await run(lookAtPage, unseen)).toEqual(closed);
    expect(await attemptOf(unseen)).toMatchObject({ failure_code: 'gateway_unavailable' });

    await revoke(false);
    const seen = await aPage();
    await payOn(seen.sessionId);
    await revoke(true);
    await twoDaysPass(seen);
    await expect(run(lookAtPage, seen)).rejects.toThrow(CredentialsRefused);
    await revoke(false);
    expect(await run(lookAtPage, seen)).toEqual(paid);
  });
});

test('a page that may still be on its way is not called over; after ten minutes the gateway would know it', async () => {
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

test('an attempt that nobody could open for an hour is not opened any more', async () => {
  const input = await anAttempt();
  await change(input, "created_at = now() - interval '61 minutes'");
  await twice(openPage, input);
  expect(await run(lookAtPage, input)).toEqual(closed);
  expect(await sessions()).toEqual([]);
  expect(await attemptOf(input)).toMatchObject({ failure_code: 'gateway_unavailable' });
});

test('a page whose payment the bank takes days for is neither paid nor over', async () => {
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

test('a step of an attempt that is gone fails for good', async () => {
  const input = { ...(await anAttempt()), attemptId: world.member.membershipId };
  for (const step of [openPage, lookAtPage] as Step<unknown>[])
    await expect(run(step, input)).rejects.toMatchObject({ type: 'NotFound', nonRetryable: true });
});
