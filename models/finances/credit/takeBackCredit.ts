import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import { applyEntry } from './applyCredit.js';
import { heldCredit, lockCredits, type Payer } from './payer.js';
import { reverseCredit } from './reverseCredit.js';
import { divideAmong, type Part, creditParts } from './sources.js';
import { writeEntry } from './writeEntry.js';

const REFUNDED = 'The payment that it came from was refunded.';

/**
 * Takes back the credit that payments are about to back no longer, in cents by payment: what is unspent first, then from
 * the invoices that credit paid, the newest first, which are due again; the rest is noted as a shortfall.
 * Goes before the refund is written. The caller has locked the payments' invoices.
 */
export async function takeBackCredit(refunds: ReadonlyMap<string, number>, reason = REFUNDED): Promise<void> {
  const parts = await creditParts({ payments: [...refunds.keys()] });
  await lockCredits(parts);
  for (const [paymentId, cents] of refunds)
    await takeFrom(
      parts.filter((part) => part.paymentId === paymentId),
      cents,
      reason,
    );
}

/**
 * The same for credit that money was kept as, down to what is left of the money. Goes before the refund is written.
 * @param leftCents what the provider keeps of it from now on
 */
export async function takeBackKeptCredit(captureId: string, leftCents: number): Promise<void> {
  const kept = await keptCredit(captureId);
  if (!kept || kept.cents <= leftCents) return;
  const parts = await creditParts({ resolution: kept.resolutionId });
  await rows(
    `SELECT i.id FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.id IN (
        SELECT c.invoice_id FROM jsonb_to_recordset($2) AS p("chapterId" uuid, "membershipId" uuid)
          JOIN chapter_account_credits c ON c.organization_id = $1 AND c.chapter_id = p."chapterId"
           AND c.membership_id IS NOT DISTINCT FROM p."membershipId" AND c.kind = 'applied')
      ORDER BY i.id FOR UPDATE`,
    [currentOrganization(), JSON.stringify(parts)],
  );
  await lockCredits(parts);
  await takeFrom(parts, kept.cents - leftCents, REFUNDED);
}

interface Kept extends Payer {
  resolutionId: string;
  /** Credit that came from it and was not taken back, wherever it moved. */
  cents: number;
}

/** What money was kept as by an administrator's decision; null when it was not. */
export const keptCredit = (captureId: string): Promise<Kept | null> =>
  firstRow<Kept>(
    `SELECT r.id AS "resolutionId", r.chapter_id AS "chapterId", r.membership_id AS "membershipId",
            app.credit_of_resolution(r.organization_id, r.id) AS cents
       FROM capture_resolutions r
      WHERE r.organization_id = $1 AND r.capture_id = $2 AND r.resolution = 'keep_as_credit' AND r.status = 'done'`,
    [currentOrganization(), captureId],
  );

async function takeFrom(parts: readonly Part[], cents: number, reason: string): Promise<void> {
  for (const [part, share] of await divideAmong(parts, cents)) await takeBack(part, share, reason);
}

async function takeBack(source: Part, cents: number, reason: string): Promise<void> {
  const missing = cents - (await heldCredit(source));
  if (missing > 0) await unapplyCredit(source, missing);
  const taken = Math.min(cents, await heldCredit(source));
  if (taken > 0) await writeEntry(source, { ...source, kind: 'refunded', cents: taken, reason });
  if (cents <= taken) return;
  const shortfallId = await writeEntry(source, {
    ...source,
    kind: 'shortfall',
    cents: cents - taken,
    reason: 'Refunded after it had been spent for good.',
  });
  await audit({
    action: 'credit.short',
    subjectType: 'credit',
    subjectId: shortfallId,
    after: { payment_id: source.paymentId, amount_cents: cents - taken },
  });
  await notify(told.credit_short, [shortfallId]);
}

/** One payer's credit cannot be told apart: what was applied last goes first. Of the last entry a part may stay. */
async function unapplyCredit(payer: Payer, cents: number): Promise<void> {
  const applied = await rows<{ id: string; invoice_id: string; amount_cents: number }>(
    `SELECT id, invoice_id, amount_cents FROM chapter_account_credits c
      WHERE organization_id = $1 AND chapter_id = $2 AND membership_id IS NOT DISTINCT FROM $3::uuid AND kind = 'applied'
        AND NOT EXISTS (SELECT 1 FROM chapter_account_credits r WHERE r.organization_id = $1 AND r.reverses = c.id)
      ORDER BY id DESC`,
    [currentOrganization(), payer.chapterId, payer.membershipId],
  );
  let missing = cents;
  for (const { id, invoice_id: invoiceId, amount_cents: amount } of applied) {
    if (missing <= 0) return;
    await reverseCredit(id, 'A payment that it came from was refunded.');
    if (amount > missing) await applyEntry(payer, invoiceId, amount - missing, 'What a refund left of it.');
    missing -= amount;
  }
}
