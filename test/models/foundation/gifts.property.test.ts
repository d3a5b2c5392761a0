/** Success, declines, refunds, failed refunds and disputes of a gift end alike, in whichever order their events arrive. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { firstRow } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { executeEvent, RefundBeforePayment } from '../../../models/finances/webhooks/applyEvent.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aWaitingGift, giftOf } from '../../support/giving.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';
import { aWorld, type World } from '../../support/world.js';

let world: World;
let foundation: Foundation;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const AMOUNT = 5_000;

const aGift = (email: string) => aWaitingGift(world, foundation, { email });

/** What happens at the provider, one step after the other. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: AMOUNT }) }),
  fc.record({ kind: fc.constant('bounce' as const) }),
  fc.record({ kind: fc.constant('dispute' as const) }),
  fc.record({ kind: fc.constant('win' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A charge at the provider. Amounts in cents. */
class Charge {
  readonly intentId = `pi_${randomUUID()}`;
  private readonly refunds: { cents: number; failed: boolean }[] = [];
  private readonly movements: { kind: 'withdrawn' | 'reinstated'; cents: number }[] = [];

  get refundedCents(): number {
    return this.refunds.reduce((sum, { cents, failed }) => sum + (failed ? 0 : cents), 0);
  }
  get withheldCents(): number {
    return this.movements.reduce((sum, { kind, cents }) => sum + (kind === 'withdrawn' ? cents : -cents), 0);
  }

  /** @returns the event that the provider sends; null where the step is impossible */
  take(next: Step): 'refund' | 'dispute' | null {
    if (next.kind === 'refund') {
      const cents = Math.min(next.cents, AMOUNT - this.refundedCents - this.withheldCents);
      if (cents <= 0) return null;
      this.refunds.push({ cents, failed: false });
      return 'refund';
    }
    if (next.kind === 'bounce') {
      const last = this.refunds.findLast(({ failed }) => !failed);
      if (last) last.failed = true;
      return last ? 'refund' : null;
    }
    if (next.kind === 'dispute') {
      const cents = AMOUNT - this.refundedCents - this.withheldCents;
      if (cents <= 0 || this.withheldCents > 0) return null;
      this.movements.push({ kind: 'withdrawn', cents });
      return 'dispute';
    }
    if (this.withheldCents === 0) return null;
    this.movements.push({ kind: 'reinstated', cents: this.withheldCents });
    return 'dispute';
  }

  read(version: string | null) {
    const failed = this.refunds.filter((refund) => refund.failed);
    return {
      version,
      refundedCents: this.refundedCents,
      failed: failed.map((_, at) => ({ gatewayRefundId: `re_${at}`, failureCode: 'bounced' })),
      marked: [],
    };
  }

  disputes(reference: Record<string, string>) {
    if (this.movements.length === 0) return [];
    return [
      {
        gatewayDisputeId: `dp_${this.intentId}`,
        reference,
        amountCents: AMOUNT,
        currency: 'usd',
        reason: 'fraudulent',
        decision: 'none' as const,
        evidenceDueAt: null,
        openedAt: new Date(0),
        movements: this.movements.map(({ kind, cents }, at) => ({
          kind,
          amountCents: cents,
          movementId: `${this.intentId}:${at}`,
          at: new Date(),
        })),
      },
    ];
  }
}

type Delivery = 'success' | 'decline' | 'refund' | 'dispute';

async function deliver(donationId: string, charge: Charge, delivery: Delivery): Promise<boolean> {
  const reference = { donation_id: donationId, processor_id: foundation.processorId };
  const version =
    (
      await asOwner<{ v: string }>('SELECT xmin::text AS v FROM processor_captures WHERE intent_id = $1', [
        charge.intentId,
      ])
    )[0]?.v ?? null;
  const [type, amountCents] = {
    success: ['payment_intent.succeeded', AMOUNT] as const,
    decline: ['payment_intent.payment_failed', AMOUNT] as const,
    refund: ['charge.refund.updated', 0] as const,
    dispute: ['charge.dispute.updated', 0] as const,
  }[delivery];
  const payload = {
    eventId: '',
    type,
    amountCents,
    intentId: charge.intentId,
    currency: 'usd',
    reference,
    failureCode: null,
  };
  try {
    await inTenant(world.organizationId, async () => {
      const { at } = (await firstRow<{ at: string }>('SELECT clock_timestamp()::text AS at')) as { at: string };
      const answer = {
        deliveries: 1,
        read: charge.read(version),
        disputes: delivery === 'dispute' ? { askedAt: at, disputes: charge.disputes(reference) } : null,
      };
      await executeEvent(
        { processor_id: foundation.processorId, payload },
        delivery === 'success' || delivery === 'decline' ? null : answer,
      );
    });
    return true;
  } catch (error) {
    // The workflow of such an event waits for the payment's own event.
    if (error instanceof RefundBeforePayment) return false;
    throw error;
  }
}

test('every order of events ends with what remains at the provider, and with sound totals', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(fc.nat({ max: 20 }), { minLength: 12, maxLength: 12 }),
      fc.boolean(),
      async (steps, order, declinesFirst) => {
        const donationId = await aGift(`walk-${randomUUID()}@example.org`);
        const charge = new Charge();
        const waiting: Delivery[] = ['success', ...(declinesFirst ? (['decline'] as const) : [])];
        const deliverOne = async (at: number) => {
          const [delivery] = waiting.splice(at % waiting.length, 1);
          if (delivery && !(await deliver(donationId, charge, delivery))) waiting.push(delivery);
        };
        for (const [at, next] of steps.entries()) {
          const event = charge.take(next);
          if (event) waiting.push(event);
          const choice = order[at] as number;
          if (choice % 2 === 0 && waiting.length > 0) await deliverOne(choice);
        }
        for (const choice of order) if (waiting.length > 0) await deliverOne(choice);
        while (waiting.length > 0) await deliverOne(waiting.indexOf('success') < 0 ? 0 : waiting.indexOf('success'));
        // Providers send every event at least once; a repeated one changes nothing.
        for (const delivery of ['success', 'decline', 'refund', 'dispute'] as const)
          await deliver(donationId, charge, delivery);
        const refunded = charge.refundedCents + charge.withheldCents;
        expect(await giftOf(donationId)).toMatchObject({
          status: refunded === AMOUNT ? 'refunded' : 'completed',
          refunded_cents: refunded,
          donor_cents: AMOUNT - refunded,
          gift_count: refunded === AMOUNT ? 0 : 1,
          keeps_network: false,
        });
      },
    ),
    { numRuns: casesOf({ test: 8, release: 40 }) },
  );
  await asOwner(`DELETE FROM throttles WHERE scope LIKE 'declined%'`);
  await expectSoundLedger();
});

test('a charge of another amount waits for a decision, and its refund fails the gift, in any order', async () => {
  const donationId = await aGift(`other-${randomUUID()}@example.org`);
  const charge = new Charge();
  const reference = { donation_id: donationId, processor_id: foundation.processorId };
  const payload = { eventId: '', intentId: charge.intentId, currency: 'usd', reference, failureCode: null };
  const send = (type: string, amountCents: number, read: ReturnType<Charge['read']> | null = null) =>
    inTenant(world.organizationId, () =>
      executeEvent(
        { processor_id: foundation.processorId, payload: { ...payload, type, amountCents } },
        read && { deliveries: 1, read },
      ),
    );
  await send('payment_intent.payment_failed', AMOUNT);
  await send('payment_intent.succeeded', AMOUNT + 1);
  const review = { status: 'pending', under_review: true, entries: [], raised_cents: expect.any(Number) };
  expect(await giftOf(donationId)).toMatchObject(review);
  await send('payment_intent.payment_failed', AMOUNT);
  expect(await giftOf(donationId)).toMatchObject(review);
  await expectSoundLedger();
  await send('charge.refunded', AMOUNT + 1);
  expect(await giftOf(donationId)).toMatchObject({ status: 'failed', under_review: false, entries: [] });
  await expectSoundLedger();
  // The refund fails days later: the money is back, and needs a decision again.
  const version =
    (
      await asOwner<{ v: string }>('SELECT xmin::text AS v FROM processor_captures WHERE intent_id = $1', [
        charge.intentId,
      ])
    )[0]?.v ?? null;
  await send('refund.failed', 0, {
    version,
    refundedCents: 0,
    failed: [{ gatewayRefundId: 're_1', failureCode: 'bounced' }],
    marked: [],
  });
  expect(await giftOf(donationId)).toMatchObject(review);
  await expectSoundLedger();
});

test('a second payment of a gift is flagged, and its refund leaves the gift completed', async () => {
  const donationId = await aGift(`twice-${randomUUID()}@example.org`);
  const [first, second] = [new Charge(), new Charge()];
  for (const charge of [first, second]) await deliver(donationId, charge, 'success');
  expect(await giftOf(donationId)).toMatchObject({
    status: 'completed',
    under_review: false,
    entries: [['received', AMOUNT]],
  });
  await expectSoundLedger();
  second.take({ kind: 'refund', cents: AMOUNT });
  await deliver(donationId, second, 'refund');
  expect(await giftOf(donationId)).toMatchObject({ status: 'completed', refunded_cents: 0 });
  await expectSoundLedger();
});

test('events of another account or organization change no gift', async () => {
  const donationId = await aGift(`foreign-${randomUUID()}@example.org`);
  const other = await aWorld({ members: 1 });
  const theirs = await aFoundation(other);
  const reference = { donation_id: donationId, processor_id: theirs.processorId };
  const payload = {
    eventId: '',
    type: 'payment_intent.succeeded',
    amountCents: AMOUNT,
    intentId: 'pi_of_others',
    currency: 'usd',
    reference,
    failureCode: null,
  };
  await inTenant(other.organizationId, () => executeEvent({ processor_id: theirs.processorId, payload }, null));
  expect(await giftOf(donationId)).toMatchObject({ status: 'pending', entries: [] });
  expect(
    await asOwner('SELECT donation_id, disposition FROM processor_captures WHERE intent_id = $1', ['pi_of_others']),
  ).toEqual([{ donation_id: null, disposition: 'flagged' }]);
  await expectSoundLedger();
});

test.each([
  ['UTC', '2026-01-01T00:00:00Z', 2026],
  ['America/New_York', '2026-01-01T04:59:59Z', 2025],
  ['America/New_York', '2026-01-01T05:00:00Z', 2026],
  ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', 2026],
  ['Pacific/Pago_Pago', '2026-01-01T10:59:59Z', 2025],
  ['Asia/Kolkata', '2025-12-31T18:30:00Z', 2026],
  ['Nowhere/Unknown', '2025-12-31T23:59:59Z', 2025],
])('in %s a gift charged at %s counts in %i, whenever its event arrives', async (zone, capturedAt, year) => {
  await asOwner('UPDATE foundation_configs SET timezone = $2 WHERE id = $1', [foundation.foundationId, zone]);
  const donationId = await aGift(`year-${randomUUID()}@example.org`);
  const reference = { donation_id: donationId, processor_id: foundation.processorId };
  const charge = { intentId: `pi_${randomUUID()}`, amountCents: AMOUNT, currency: 'usd', capturedAt };
  const payload = { eventId: '', type: 'payment_intent.succeeded', ...charge, reference, failureCode: null };
  await inTenant(world.organizationId, () => executeEvent({ processor_id: foundation.processorId, payload }, null));
  expect(await giftOf(donationId)).toMatchObject({ tax_year: year, charged_at: new Date(capturedAt) });
  await asOwner(`UPDATE foundation_configs SET timezone = 'UTC' WHERE id = $1`, [foundation.foundationId]);
  expect(await giftOf(donationId)).toMatchObject({ tax_year: year });
});
