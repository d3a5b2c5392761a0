/**
 * Updates a gift when a charge that was made for it changes. Finances calls these functions within its transactions.
 */
import { audit } from '../../database/audit.js';
import { changeRow, lockExclusive } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import type { ExpectedCharge } from '../../finances/upstream.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { followEndedTry } from '../pledges/followEndedTry.js';
import { followCompletedGift, followReturnedGift } from '../pledges/followGift.js';
import { lockPledgeForStep } from '../pledges/lockPledge.js';
import { correctReceipts } from '../receipts/correctReceipts.js';
import { countDecline } from './declines.js';
import { Donation } from './Donation.js';

/** Locks a gift. @returns what it expects of a charge; null when the tenant has no such gift */
export async function lockDonation(donationId: string): Promise<ExpectedCharge | null> {
  const gift = await lockGift(donationId);
  return gift && { amountCents: gift.amount_cents, currency: gift.currency, isPaid: gift.charged_at !== null };
}

/** Locks a gift, after the pledge that it belongs to: all transactions lock in this order. */
async function lockGift(donationId: string): Promise<Donation | null> {
  const gift = await loadIfExists(Donation, donationId);
  if (gift?.pledge_id) await lockPledgeForStep(gift.pledge_id);
  return lockExclusive(Donation, donationId);
}

/** A capture of a gift, with what the entries of the gift say about it. Amounts in cents. */
interface FollowedCapture {
  id: string;
  amount_cents: number;
  /** Amount that refunds and disputes have taken from the charge. */
  refunded_cents: number;
  /** The captured money counts as the gift's if it is what was expected, or if an administrator has accepted it. */
  is_expected: boolean;
  is_accepted: boolean;
  is_flagged: boolean;
  /** Whether the gift has an entry that this charge was received. */
  is_received: boolean;
  /** The returned amount according to the gift's entries. */
  returned_cents: number;
}

const FOLLOWED = `
  SELECT c.id, c.amount_cents, c.refunded_cents, c.disposition = 'flagged' AS is_flagged,
         c.disposition = 'recorded' AS is_expected,
         EXISTS (SELECT FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id
            AND r.resolution = 'accept') AS is_accepted,
         EXISTS (SELECT FROM donation_entries e WHERE e.organization_id = c.organization_id AND e.donation_id = c.donation_id
            AND e.capture_id = c.id AND e.kind = 'received') AS is_received,
         coalesce((SELECT sum(CASE e.kind WHEN 'returned' THEN e.amount_cents WHEN 'reinstated' THEN -e.amount_cents END)
            FROM donation_entries e WHERE e.organization_id = c.organization_id AND e.donation_id = c.donation_id
             AND e.capture_id = c.id AND e.kind <> 'received'), 0)::bigint AS returned_cents
    FROM processor_captures c WHERE c.organization_id = $1 AND c.id = $2`;

/**
 * Updates a gift after a change of its charge: inserts the entries that are missing, and corrects the receipts. The
 * result is computed from the rows, so events may arrive in any order and repeatedly.
 */
export async function followCapture({
  donationId,
  captureId,
}: {
  donationId: string;
  captureId: string;
}): Promise<void> {
  await lockGift(donationId);
  const capture = await oneRow<FollowedCapture>(FOLLOWED, [currentOrganization(), captureId]);
  if (!capture.is_expected && !capture.is_accepted) return followReview(donationId, capture);
  const received = !capture.is_received && (await addEntry(donationId, 'received', capture.id, capture.amount_cents));
  const gapCents = capture.refunded_cents - capture.returned_cents;
  const moved =
    gapCents !== 0 &&
    (await addEntry(donationId, gapCents > 0 ? 'returned' : 'reinstated', capture.id, Math.abs(gapCents)));
  if (received || moved) await correctReceipts(donationId);
  if (received) await followCompletedGift(donationId, captureId, capture.is_accepted);
  if (moved) await followReturnedGift(donationId);
}

type EntryKind = 'received' | 'returned' | 'reinstated';

const ACTIONS = {
  received: 'donation.completed',
  returned: 'donation.returned',
  reinstated: 'donation.reinstated',
} as const satisfies Record<EntryKind, string>;

/** Inserts an entry; a trigger computes the totals of the gift from it. A received entry has the time of its charge. */
async function addEntry(donationId: string, kind: EntryKind, captureId: string, amountCents: number): Promise<true> {
  await rows(
    `INSERT INTO donation_entries (organization_id, donation_id, kind, amount_cents, capture_id, moved_at)
     SELECT organization_id, $2, $3, $4, id, CASE $3 WHEN 'received' THEN coalesce(captured_at, created_at) ELSE now() END
       FROM processor_captures WHERE organization_id = $1 AND id = $5`,
    [currentOrganization(), donationId, kind, amountCents, captureId],
  );
  await audit({
    action: ACTIONS[kind],
    subjectType: 'donation',
    subjectId: donationId,
    after: { capture: captureId, amount_cents: amountCents },
  });
  return true;
}

/**
 * Keeps an unpaid gift under review while flagged money waits for a decision. When that money is gone, the gift fails.
 */
async function followReview(donationId: string, capture: FollowedCapture): Promise<void> {
  if (capture.is_flagged) {
    await notify(notifications.gift_unmatched, [capture.id], { actor: null });
    await changeRow(
      Donation,
      { id: donationId, charged_at: null },
      { status: 'pending', under_review: true, failure_code: null, network_digest: null },
    );
    return;
  }
  await rows(
    `UPDATE donations d SET status = 'failed', under_review = false, failure_code = 'refunded'
      WHERE d.id = $1 AND d.charged_at IS NULL AND d.under_review AND NOT EXISTS (
        SELECT FROM processor_captures c WHERE c.organization_id = d.organization_id AND c.donation_id = d.id AND c.disposition = 'flagged')`,
    [donationId],
  );
}

/** Records a declined payment: the gift fails, unless it is paid or under review. */
export async function declineGift({
  donationId,
  failureCode,
}: {
  donationId: string;
  failureCode: string | null;
}): Promise<void> {
  await failGift(donationId, failureCode ?? 'payment_declined', false);
  await countDecline(donationId);
}

/** Fails a gift whose page can no longer be paid, or whose charge took nothing. */
export async function endGiftPage(ended: {
  donationId: string;
  attemptId: string;
  failureCode: string | null;
}): Promise<void> {
  await failGift(ended.donationId, ended.failureCode ?? 'expired', true);
  await followEndedTry(ended);
}

/**
 * Marks an unpaid gift as failed.
 * @param isOver whether the gift can no longer be paid; then the digest of the donor's network is deleted as well
 */
async function failGift(donationId: string, failureCode: string, isOver: boolean): Promise<void> {
  await firstRow(
    `UPDATE donations SET status = CASE WHEN under_review THEN status ELSE 'failed' END,
            failure_code = CASE WHEN under_review THEN failure_code ELSE coalesce(failure_code, $2) END,
            network_digest = CASE WHEN $3 THEN NULL ELSE network_digest END
      WHERE id = $1 AND charged_at IS NULL RETURNING id`,
    [donationId, failureCode.slice(0, 100), isOver],
  );
}
