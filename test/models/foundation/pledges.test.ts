/** Transitions of pledges and their periods, by the operations that processes and people call. */
import { randomUUID } from 'node:crypto';
import '../../../models/wireAreas.js';
import { config } from '../../../config.js';
import { sequelize } from '../../../models/database/connection.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { concludeAttempt } from '../../../models/finances/attempts/concludeAttempt.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { recordGiftCharge } from '../../../models/finances/captures/recordGiftCharge.js';
import { acceptPayment } from '../../../models/foundation/donations/acceptPayment.js';
import { lockDonation } from '../../../models/foundation/donations/followCaptures.js';
import { eraseDonor } from '../../../models/foundation/donors/eraseDonor.js';
import { chargeAttemptId, chargeKeyOf } from '../../../models/foundation/pledges/chargeKey.js';
import { beginConfirming, claimCharge } from '../../../models/foundation/pledges/claimCharge.js';
import { followPledge } from '../../../models/foundation/pledges/followPledge.js';
import { cardOf, keepCard } from '../../../models/foundation/pledges/keptCard.js';
import { claimNotice, type NoticeMail } from '../../../models/foundation/pledges/mailNotice.js';
import {
  cancelPledge,
  pauseDisputedPledges,
  pausePledge,
  resumePledge,
} from '../../../models/foundation/pledges/movePledge.js';
import { composeNotice } from '../../../models/foundation/pledges/noticeTexts.js';
import { openPeriodPage } from '../../../models/foundation/pledges/openPeriodPage.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift, aWaitingGift, giftOf } from '../../support/giving.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import {
  aPledge,
  letPeriodBeDue,
  noticesOf,
  periodGiftOf,
  periodsOf,
  type PledgeRow,
  pledgeRow,
} from '../../support/pledges.js';
import { aWorld, type World } from '../../support/world.js';

let world: World;
let foundation: Foundation;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterEach(async () => {
  config.PLEDGE_CHARGES = true;
  await expectSoundLedger();
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const here = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);

/** A pledge whose period is open. */
async function aDuePledge(more: Record<string, unknown> = {}): Promise<PledgeRow> {
  const pledge = await aPledge(world, foundation, more);
  await letPeriodBeDue(pledge.id);
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'charging', period: 1 });
  return pledge;
}

/** Claims the next charge of period 1. @returns its attempt */
async function claim({ id }: PledgeRow, n = 1): Promise<string> {
  const step = await here(() => claimCharge(id, n));
  if (!('attemptId' in step)) throw new Error(`No charge is claimed: ${JSON.stringify(step)}`);
  return step.attemptId;
}

const decline = (pledge: PledgeRow, attemptId: string, failureCode = 'insufficient_funds', n = 1) =>
  here(async () => {
    await lockDonation(await periodGiftOf(pledge.id, n));
    await concludeAttempt({ attemptId }, { status: 'failed', failureCode });
  });

const succeed = (pledge: PledgeRow, attemptId: string | null, intentId = `pi_${randomUUID()}`) =>
  here(async () =>
    recordGiftCharge({
      processorId: foundation.processorId,
      intentId,
      donationId: await periodGiftOf(pledge.id),
      amountCents: 5_000,
      currency: 'usd',
      capturedAt: new Date(),
      attemptId,
    }),
  );

/** Lets the next try of a period be due. */
const letTryBeDue = (pledge: PledgeRow) =>
  asOwner(`UPDATE pledge_periods SET next_try_at = now() WHERE pledge_id = $1 AND next_try_at IS NOT NULL`, [
    pledge.id,
  ]);

/** The first gift of a pledge, which is not paid yet. */
async function aFirstGift() {
  const gift = await aWaitingGift(world, foundation, { is_recurring: true, recurring_interval: 'monthly' });
  const [row] = await asOwner<{ donor: string }>('SELECT donor_id AS donor FROM donations WHERE id = $1', [gift]);
  const { donor } = row as { donor: string };
  const paid = { processorId: foundation.processorId, intentId: `pi_${randomUUID()}`, amountCents: 5_000 };
  const more = { currency: 'usd', capturedAt: null, attemptId: null };
  return {
    gift,
    donor,
    erase: () => here(() => eraseDonor(donor)),
    pay: () => here(() => recordGiftCharge({ ...paid, ...more, donationId: gift })),
  };
}

/** The text of the mail about a decline. */
async function declineMail({ id }: PledgeRow): Promise<string> {
  await asOwner(
    `UPDATE pledge_notices SET status = 'mailed', concluded_at = now() WHERE pledge_id = $1 AND kind = 'started'`,
    [id],
  );
  const mail = (await here(() => claimNotice(id))) as NoticeMail;
  return composeNotice(mail.notice).paragraphs.join(' ');
}

test('a pledge is born with the first completed gift; its anchor is the local day of the charge', async () => {
  await asOwner(`UPDATE foundation_configs SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [
    foundation.foundationId,
  ]);
  const pledge = await aPledge(world, foundation);
  await asOwner(`UPDATE foundation_configs SET timezone = 'UTC' WHERE id = $1`, [foundation.foundationId]);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
  expect(pledge).toMatchObject({ status: 'active', anchor_on: today, next_period: 1, missed_in_a_row: 0 });
  expect(await noticesOf(pledge.id)).toEqual(['started']);
  expect(
    await asOwner('SELECT process, workflow_id FROM outbox WHERE workflow_id = $1', [`pledge/${pledge.id}`]),
  ).toEqual([{ process: 'recurringPledge', workflow_id: `pledge/${pledge.id}` }]);
});

test('a gift that is given once, or that an administrator accepted, starts no pledge', async () => {
  const once = await aPaidGift(world, foundation);
  const gift = await aWaitingGift(world, foundation, { is_recurring: true, recurring_interval: 'monthly' });
  const charge = { processorId: foundation.processorId, intentId: `pi_${randomUUID()}`, currency: 'usd' };
  await here(() =>
    recordGiftCharge({ ...charge, donationId: gift, amountCents: 6_000, capturedAt: null, attemptId: null }),
  );
  const [capture] = await asOwner<{ id: string }>('SELECT id FROM processor_captures WHERE donation_id = $1', [gift]);
  await inTenant(world.organizationId, () => acceptPayment(capture?.id as string, 'Accepted.'), {
    origin: { userId: foundation.admin.userId, requestId: null, ipAddress: null },
  });
  expect(await giftOf(gift)).toMatchObject({ status: 'completed' });
  expect(
    await asOwner('SELECT id FROM donations WHERE id = ANY ($1) AND pledge_id IS NOT NULL', [[once, gift]]),
  ).toEqual([]);
  const card = { donationId: gift, processorId: foundation.processorId, keptCard: 'cus_1:pm_1' };
  expect(await here(() => keepCard(card))).toBe(false);
});

test('a gift of an erased donor starts no pledge', async () => {
  const { gift, erase, pay } = await aFirstGift();
  await erase();
  await pay();
  expect(await giftOf(gift)).toMatchObject({ status: 'completed' });
  expect(await asOwner('SELECT pledge_id FROM donations WHERE id = $1', [gift])).toEqual([{ pledge_id: null }]);
});

test('a donor who is erased while the first gift of a pledge is completed has no live pledge', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { donor, erase, pay } = await aFirstGift();
    const [, erased] = await Promise.allSettled([pay(), erase()]);
    if (erased.status === 'rejected') {
      expect(erased.reason).toMatchObject({ code: 'locked' });
      await erase();
    }
    expect(
      await asOwner(`SELECT id FROM recurring_pledges WHERE donor_id = $1 AND status <> 'cancelled'`, [donor]),
    ).toEqual([]);
  }
});

test('a due period is opened once, with a gift; after an outage only the latest one is charged', async () => {
  const pledge = await aPledge(world, foundation);
  await letPeriodBeDue(pledge.id, 4);
  const steps = await Promise.all([1, 2, 3].map(() => here(() => followPledge(pledge.id))));
  expect(steps.map(({ period }) => period)).toEqual([4, 4, 4]);
  expect(await periodsOf(pledge.id)).toMatchObject([{ n: 4, status: 'open', gift: 'pending', amount_cents: 5_000 }]);
  expect(await pledgeRow(pledge.id)).toMatchObject({ next_period: 5 });
});

test('claims are derived from the pledge, so that a restored backup claims the same charge', async () => {
  const pledge = await aDuePledge();
  const attempt = await claim(pledge);
  expect(attempt).toBe(chargeAttemptId(pledge.id, 1, 1));
  expect(chargeKeyOf(pledge.id, 1, 1)).toBe(`pledge-${pledge.id}-1-1`);
  expect(await claim(pledge)).toBe(attempt);
});

test('a paid period keeps the pledge active, also when its campaign is closed, and its gift is completed', async () => {
  const pledge = await aPledge(world, foundation);
  await asOwner(`UPDATE campaigns SET status = 'closed', closed_at = now() WHERE id = $1`, [foundation.campaignId]);
  await letPeriodBeDue(pledge.id);
  await here(() => followPledge(pledge.id));
  const attempt = await claim(pledge);
  await here(() => recordIntent(attempt, 'pi_paid'));
  expect(await here(() => beginConfirming(pledge.id, 1, attempt))).toBe(true);
  await succeed(pledge, attempt, 'pi_paid');
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ over: 'paid' });
  expect(await periodsOf(pledge.id)).toMatchObject([{ status: 'paid', gift: 'completed' }]);
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active', last_charged_at: expect.any(Date) });
  await asOwner(`UPDATE campaigns SET status = 'active', closed_at = NULL WHERE id = $1`, [foundation.campaignId]);
});

test('a declined period is tried again after 3, 7 and 14 days, then it is missed; the second missed one cancels', async () => {
  const pledge = await aDuePledge();
  const first = (await periodsOf(pledge.id))[0] as { next_try_at: Date };
  for (const days of [3, 7, 14]) {
    await decline(pledge, await claim(pledge));
    const [period] = (await periodsOf(pledge.id)) as [{ next_try_at: Date }];
    expect(Math.round((period.next_try_at.getTime() - first.next_try_at.getTime()) / 86_400_000)).toBe(days);
    expect(await here(() => claimCharge(pledge.id, 1))).toMatchObject({
      stage: 'waiting',
      seconds: expect.any(Number),
    });
    expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'past_due' });
    await letTryBeDue(pledge);
  }
  await decline(pledge, await claim(pledge));
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ over: 'missed' });
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'past_due', missed_in_a_row: 1 });
  expect(await noticesOf(pledge.id)).toEqual(['started', 'declined']);

  await letPeriodBeDue(pledge.id, 2);
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'past_due', period: 2 });
  for (let tries = 0; tries < 4; tries += 1) {
    await decline(pledge, await claim(pledge, 2), 'insufficient_funds', 2);
    await letTryBeDue(pledge);
  }
  expect(await pledgeRow(pledge.id)).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'process',
    cancel_reason: 'payments_missed',
  });
  expect(await noticesOf(pledge.id)).toEqual(['started', 'declined', 'declined', 'cancelled']);
});

test('an annual pledge is cancelled by its first missed period', async () => {
  const pledge = await aDuePledge({ recurring_interval: 'annually' });
  for (let tries = 0; tries < 4; tries += 1) {
    await decline(pledge, await claim(pledge));
    await letTryBeDue(pledge);
  }
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'payments_missed' });
});

test('a success after a decline makes the pledge active, and forgets its missed periods', async () => {
  const pledge = await aDuePledge();
  await decline(pledge, await claim(pledge));
  expect(await declineMail(pledge)).toContain('we try your card again within two weeks');
  await letTryBeDue(pledge);
  await succeed(pledge, await claim(pledge));
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active', missed_in_a_row: 0 });
});

test('a card that is gone cancels the pledge', async () => {
  const gone = await aDuePledge();
  await decline(gone, await claim(gone), 'card_gone');
  expect(await pledgeRow(gone.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'card_gone' });
});

test.each([
  ['stripe', 'stolen_card'],
  ['stripe', 'revocation_of_all_authorizations'],
  ['checkout', '30043'],
])('a card that a bank refuses for good at %s (%s) is deleted and not tried again', async (provider, failureCode) => {
  const stolen = await aDuePledge();
  const attempt = await claim(stolen);
  const useProvider = (name: string) =>
    asOwner('UPDATE org_payment_processors SET provider = $2 WHERE id = $1', [foundation.processorId, name]);
  await useProvider(provider);
  await decline(stolen, attempt, failureCode);
  await useProvider('stripe');
  expect(await pledgeRow(stolen.id)).toMatchObject({ status: 'past_due', card_encrypted: null });
  expect(await declineMail(stolen)).toContain('We do not charge your card again');
  expect(await periodsOf(stolen.id)).toMatchObject([{ status: 'open', next_try_at: null }]);
  expect(await here(() => claimCharge(stolen.id, 1))).toMatchObject({ stage: 'waiting' });
  await asOwner(`UPDATE pledge_periods SET created_at = now() - interval '15 days' WHERE pledge_id = $1`, [stolen.id]);
  expect(await here(() => claimCharge(stolen.id, 1))).toEqual({ over: 'missed' });
});

test('a provider that does not answer for a day is no decline', async () => {
  const pledge = await aDuePledge();
  await decline(pledge, await claim(pledge), 'gateway_unavailable');
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active' });
  expect(await periodsOf(pledge.id)).toMatchObject([{ status: 'open', declines: 0, tries: 1 }]);
  await letTryBeDue(pledge);
  expect(await claim(pledge)).toBe(chargeAttemptId(pledge.id, 1, 2));
});

test.each(['cancel', 'pause'] as const)('after a %s before the last look, the charge is withdrawn', async (move) => {
  const pledge = await aDuePledge();
  const attempt = await claim(pledge);
  await here(() => recordIntent(attempt, `pi_${randomUUID()}`));
  if (move === 'cancel')
    expect(await here(() => cancelPledge(pledge.id, { by: 'admin' }))).toEqual({ charge_in_flight: false });
  else await here(() => pausePledge(pledge.id));
  expect(await here(() => beginConfirming(pledge.id, 1, attempt))).toBe(false);
  // The process closes the charge at the provider, and then ends the attempt.
  expect(await claim(pledge)).toBe(attempt);
  await decline(pledge, attempt, 'withdrawn');
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ over: 'withdrawn' });
  expect(await periodsOf(pledge.id)).toMatchObject([{ status: 'missed', missed_reason: 'withdrawn', gift: 'failed' }]);
  expect(await pledgeRow(pledge.id)).toMatchObject({ missed_in_a_row: 0 });
});

test('a charge that succeeds after the cancellation is returned, by a refund in the same transaction', async () => {
  const pledge = await aDuePledge();
  const attempt = await claim(pledge);
  await here(() => recordIntent(attempt, 'pi_late'));
  expect(await here(() => beginConfirming(pledge.id, 1, attempt))).toBe(true);
  expect(await here(() => cancelPledge(pledge.id, { by: 'donor' }))).toEqual({ charge_in_flight: true });
  await succeed(pledge, attempt, 'pi_late');
  const gift = await periodGiftOf(pledge.id);
  const refunds = await asOwner(
    `SELECT r.status, r.amount_cents::int, r.requested_by FROM capture_resolutions r JOIN processor_captures c ON c.id = r.capture_id WHERE c.donation_id = $1`,
    [gift],
  );
  expect(refunds).toEqual([{ status: 'pending', amount_cents: 5_000, requested_by: null }]);
  expect(await here(() => claimCharge(pledge.id, 1))).toMatchObject({ stage: 'returning' });
  expect(await noticesOf(pledge.id)).toEqual(['started', 'cancelled', 'returned']);
});

test('a paused pledge resumes with the next period that is due in the future', async () => {
  const pledge = await aPledge(world, foundation);
  await here(() => pausePledge(pledge.id, { by: 'admin' }));
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'paused', next_due_at: null });
  await asOwner(`UPDATE recurring_pledges SET anchor_on = anchor_on - 100 WHERE id = $1`, [pledge.id]);
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'paused', period: null });
  await here(() => resumePledge(pledge.id, { by: 'admin' }));
  const row = await pledgeRow(pledge.id);
  expect(row).toMatchObject({ status: 'active' });
  expect(row.next_due_at?.getTime()).toBeGreaterThan(Date.now());
  expect(row.next_period).toBeGreaterThanOrEqual(4);
  expect(await noticesOf(pledge.id)).toEqual(['started', 'paused', 'resumed']);
});

test('a pledge that is paused until a day resumes by itself on that day', async () => {
  const pledge = await aPledge(world, foundation);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await here(() => pausePledge(pledge.id, { resumeOn: tomorrow }));
  const step = await here(() => followPledge(pledge.id));
  expect(step).toMatchObject({ stage: 'paused' });
  expect(step.seconds).toBeLessThanOrEqual(86_400);
  await asOwner('UPDATE recurring_pledges SET resume_on = resume_on - 1 WHERE id = $1', [pledge.id]);
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'waiting' });
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active', resume_on: null });
});

test('other steps are refused, and a cancelled pledge stays cancelled', async () => {
  const pledge = await aPledge(world, foundation);
  const refused = { code: 'invalid_pledge_transition' };
  await expect(here(() => resumePledge(pledge.id))).rejects.toMatchObject(refused);
  await here(() => cancelPledge(pledge.id, { by: 'admin', reason: 'On request' }));
  for (const move of [
    () => pausePledge(pledge.id),
    () => resumePledge(pledge.id),
    () => cancelPledge(pledge.id, { by: 'donor' }),
  ])
    await expect(here<unknown>(move)).rejects.toMatchObject(refused);
  await expect(
    here(() =>
      rows(
        `UPDATE recurring_pledges SET status = 'active', cancelled_at = NULL, cancelled_by = NULL, cancel_reason = NULL, next_due_at = now() WHERE id = $1`,
        [pledge.id],
      ),
    ),
  ).rejects.toThrow();
});

test('a dispute of a donor pauses all pledges of that donor', async () => {
  const email = `${randomUUID()}@example.org`;
  const [one, other] = [await aPledge(world, foundation, { email }), await aPledge(world, foundation, { email })];
  const bystander = await aPledge(world, foundation);
  const gift = await aPaidGift(world, foundation, { email });
  await here(() => pauseDisputedPledges({ donationId: gift }));
  expect([await pledgeRow(one.id), await pledgeRow(other.id), await pledgeRow(bystander.id)]).toMatchObject([
    { status: 'paused' },
    { status: 'paused' },
    { status: 'active' },
  ]);
});

test('PLEDGE_CHARGES=off and a suspended organization hold every claim', async () => {
  const pledge = await aPledge(world, foundation);
  await letPeriodBeDue(pledge.id);
  config.PLEDGE_CHARGES = false;
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'waiting', period: null, seconds: 600 });
  config.PLEDGE_CHARGES = true;
  await here(() => followPledge(pledge.id));
  config.PLEDGE_CHARGES = false;
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ stage: 'waiting', seconds: 600 });
  config.PLEDGE_CHARGES = true;
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [world.organizationId]);
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ stage: 'waiting', seconds: 600 });
  await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [world.organizationId]);
  const attempt = await claim(pledge);
  expect(attempt).toBe(chargeAttemptId(pledge.id, 1, 1));
  // A claim of a restored backup is held as well. A charge that the provider has goes on to its end.
  config.PLEDGE_CHARGES = false;
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ stage: 'waiting', seconds: 600 });
  await here(() => recordIntent(attempt, `pi_${randomUUID()}`));
  expect(await claim(pledge)).toBe(attempt);
});

test('while the donor pays the period on a page, the process does not charge, and the reverse', async () => {
  const pledge = await aDuePledge();
  const attempt = await claim(pledge);
  await asOwner(`UPDATE recurring_pledges SET status = 'past_due' WHERE id = $1`, [pledge.id]);
  await expect(here(() => openPeriodPage(pledge.id, 'https://example.org/'))).rejects.toMatchObject({
    code: 'gift_being_charged',
  });
  await decline(pledge, attempt);
  await letTryBeDue(pledge);
  const gift = await here(() => openPeriodPage(pledge.id, 'https://example.org/'));
  expect(await here(() => openPeriodPage(pledge.id, 'https://example.org/'))).toBe(gift);
  expect(await here(() => claimCharge(pledge.id, 1))).toMatchObject({ stage: 'waiting' });
  const [page] = await asOwner<{ id: string; page_keeps_card: boolean }>(
    `SELECT id, page_keeps_card FROM payment_attempts WHERE donation_id = $1 AND status = 'pending'`,
    [gift],
  );
  expect(page).toMatchObject({ page_keeps_card: true });
  // The donor pays with another card: the card before must be deleted.
  await succeed(pledge, page?.id as string);
  const kept = { donationId: gift, processorId: foundation.processorId, keptCard: 'cus_new:pm_new' };
  expect(await here(() => keepCard(kept))).toBe(true);
  const row = await pledgeRow(pledge.id);
  expect(row).toMatchObject({ status: 'active' });
  expect(cardOf(row)).toBe('cus_new:pm_new');
  expect(await here(() => followPledge(pledge.id))).toMatchObject({ stage: 'waiting', hasCardsToForget: true });
});

test('a pledge without a card is cancelled when it is due', async () => {
  const pledge = await aDuePledge();
  await asOwner('UPDATE recurring_pledges SET card_encrypted = NULL WHERE id = $1', [pledge.id]);
  expect(await here(() => claimCharge(pledge.id, 1))).toEqual({ over: 'withdrawn' });
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'card_gone' });
});
