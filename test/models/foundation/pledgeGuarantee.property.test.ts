/**
 * The guarantee of pledges, in every order of claims, last looks, confirmations, events, pauses and cancellations: a
 * charge takes money only if the pledge was live at the last look, and money taken from a cancelled pledge goes back.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal } from '../../../models/errors.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { concludeAttempt } from '../../../models/finances/attempts/concludeAttempt.js';
import { executeEvent } from '../../../models/finances/webhooks/applyEvent.js';
import { lockDonation } from '../../../models/foundation/donations/followCaptures.js';
import { beginConfirming, claimCharge } from '../../../models/foundation/pledges/claimCharge.js';
import { followPledge } from '../../../models/foundation/pledges/followPledge.js';
import { cancelPledge, pausePledge, resumePledge } from '../../../models/foundation/pledges/movePledge.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aPledge, letPeriodBeDue, periodGiftOf, periodsOf, pledgeRow } from '../../support/pledges.js';
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

const here = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);

/** One pledge, its process and its provider. The process runs step by step, and may stop before any of them. */
class Stage {
  /** The charge of the process, from its claim to its end. */
  private charge: { attemptId: string; intentId: string; state: 'open' | 'confirmed' | 'captured' | 'closed' } | null =
    null;
  cancelledAt: { inFlight: boolean; captured: boolean } | null = null;
  capturedIntents = new Set<string>();

  constructor(readonly pledgeId: string) {}

  /** The next step of the process. @param declines whether the bank declines if the step confirms */
  async process(declines: boolean): Promise<void> {
    const { charge } = this;
    if (!charge) return this.claim();
    if (charge.state === 'open') {
      if (await here(() => beginConfirming(this.pledgeId, 1, charge.attemptId))) charge.state = 'confirmed';
      else await this.close();
      return;
    }
    if (charge.state === 'confirmed') {
      if (declines) await this.close();
      else {
        charge.state = 'captured';
        this.capturedIntents.add(charge.intentId);
      }
      return;
    }
    if (charge.state === 'captured') await this.event();
  }

  private async claim(): Promise<void> {
    await here(() => followPledge(this.pledgeId));
    if ((await periodsOf(this.pledgeId)).length === 0) return;
    const step = await here(() => claimCharge(this.pledgeId, 1));
    if (!('attemptId' in step)) return;
    this.charge = { attemptId: step.attemptId, intentId: `pi_${randomUUID()}`, state: 'open' };
    await here(() => recordIntent(step.attemptId, this.charge?.intentId as string));
  }

  /** The provider closes the charge, and the process ends the attempt. */
  private async close(): Promise<void> {
    const { attemptId } = this.charge as { attemptId: string };
    await here(async () => {
      await lockDonation(await periodGiftOf(this.pledgeId));
      await concludeAttempt({ attemptId }, { status: 'failed', failureCode: 'insufficient_funds' });
    });
    this.charge = null;
    await asOwner('UPDATE pledge_periods SET next_try_at = now() WHERE pledge_id = $1 AND next_try_at IS NOT NULL', [
      this.pledgeId,
    ]);
  }

  /** The event of a captured charge arrives. */
  async event(): Promise<void> {
    const { charge } = this;
    if (charge?.state !== 'captured') return;
    const reference = {
      donation_id: await periodGiftOf(this.pledgeId),
      processor_id: foundation.processorId,
      attempt_id: charge.attemptId,
    };
    const payload = {
      eventId: '',
      type: 'payment_intent.succeeded',
      intentId: charge.intentId,
      amountCents: 5_000,
      currency: 'usd',
      reference,
      failureCode: null,
    };
    await here(() => executeEvent({ processor_id: foundation.processorId, payload }, null));
    this.charge = null;
  }

  async cancel(): Promise<void> {
    const captured = this.charge?.state === 'captured' || this.charge?.state === 'confirmed';
    const { charge_in_flight } = await here(() => cancelPledge(this.pledgeId, { by: 'donor' }));
    this.cancelledAt = { inFlight: charge_in_flight, captured };
  }

  async settle(): Promise<void> {
    for (let steps = 0; this.charge && steps < 5; steps += 1) await this.process(false);
    expect(this.charge).toBeNull();
  }
}

const step = fc.constantFrom('process', 'decline', 'event', 'pause', 'resume', 'cancel', 'due');
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(stage: Stage, next: Step): Promise<void> {
  try {
    if (next === 'process' || next === 'decline') await stage.process(next === 'decline');
    if (next === 'event') await stage.event();
    if (next === 'pause') await here(() => pausePledge(stage.pledgeId));
    if (next === 'resume') await here(() => resumePledge(stage.pledgeId));
    if (next === 'cancel') await stage.cancel();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_pledge_transition') throw error;
  }
}

test('in every order, money of a cancelled pledge is not kept, and an answer without a charge in flight is true', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { id } = await aPledge(world, foundation, { email: `${randomUUID()}@example.org` });
      await letPeriodBeDue(id);
      const stage = new Stage(id);
      for (const next of steps) await take(stage, next);
      await stage.settle();
      const pledge = await pledgeRow(id);
      const periods = await periodsOf(id);
      expect(periods.length).toBeLessThanOrEqual(1);
      expect(stage.capturedIntents.size).toBeLessThanOrEqual(1);
      const isPaid = periods[0]?.['status'] === 'paid';
      expect(isPaid).toBe(stage.capturedIntents.size === 1);
      // Without a charge in flight, nothing is captured after the answer.
      if (stage.cancelledAt && !stage.cancelledAt.inFlight) expect(stage.cancelledAt.captured).toBe(false);
      const refunds = await asOwner(
        `SELECT r.id FROM capture_resolutions r JOIN processor_captures c ON c.id = r.capture_id
           JOIN pledge_periods p ON p.donation_id = c.donation_id AND p.pledge_id = $1 AND p.n = 1
          WHERE r.status = 'pending' AND r.amount_cents = 5000`,
        [id],
      );
      const [late] = await asOwner<{ late: boolean }>(
        `SELECT p.closed_at > g.cancelled_at AS late FROM pledge_periods p JOIN recurring_pledges g ON g.id = p.pledge_id
          WHERE p.pledge_id = $1 AND p.n = 1 AND p.status = 'paid'`,
        [id],
      );
      expect(refunds).toHaveLength(late?.late ? 1 : 0);
      if (pledge.status === 'cancelled' && isPaid && !late?.late)
        expect(pledge.last_charged_at?.getTime()).toBeLessThanOrEqual((pledge.cancelled_at as Date).getTime());
    }),
    { numRuns: casesOf({ test: 14, release: 100 }) },
  );
  await asOwner(`DELETE FROM throttles WHERE scope LIKE 'declined%'`);
  await expectSoundLedger();
});

test('of a cancellation and a last look at the same moment, one is first, and both answers agree', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { id } = await aPledge(world, foundation, { email: `${randomUUID()}@example.org` });
    await letPeriodBeDue(id);
    await here(() => followPledge(id));
    const step1 = await here(() => claimCharge(id, 1));
    if (!('attemptId' in step1)) throw new Error('No charge was claimed.');
    const { attemptId } = step1;
    await here(() => recordIntent(attemptId, `pi_${randomUUID()}`));
    const [{ charge_in_flight }, mayConfirm] = await Promise.all([
      here(() => cancelPledge(id, { by: 'mailed_link' })),
      here(() => beginConfirming(id, 1, attemptId)),
    ]);
    expect(charge_in_flight).toBe(mayConfirm);
    await here(async () => {
      await lockDonation(await periodGiftOf(id));
      await concludeAttempt({ attemptId }, { status: 'failed', failureCode: 'withdrawn' });
    });
  }
  await expectSoundLedger();
});
