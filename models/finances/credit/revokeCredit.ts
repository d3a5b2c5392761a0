import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { applyEntry } from './applyCredit.js';
import { readTotalCredit, lockCredits, type Payer } from './payer.js';
import { reverseCredit } from './reverseCredit.js';
import { divideAmongParts, type CreditPart, readCreditParts } from './sources.js';
import { writeEntry } from './writeEntry.js';

const REFUND_REASON = 'The payment that it came from was refunded.';

/**
 * Takes back credit that refunded payments no longer cover: first unspent credit, then credit applied to invoices,
 * newest first, so that these invoices become due again. The rest becomes a shortfall. Call it before the refund is
 * written. The caller has locked the payments' invoices.
 * @param refunds the cents to take back, by payment id
 */
export async function revokeCredit(refunds: ReadonlyMap<string, number>, reason = REFUND_REASON): Promise<void> {
  const parts = await readCreditParts({ payments: [...refunds.keys()] });
  await lockCredits(parts);
  for (const [paymentId, cents] of refunds)
    await revokeFromParts(
      parts.filter((part) => part.paymentId === paymentId),
      cents,
      reason,
    );
}

/**
 * Takes back credit that was given for an unmatched payment, until the credit is not more than the money that remains
 * of the payment. Call it before the refund is written.
 * @param leftCents the amount of the payment that the provider still holds
 */
export async function revokeRetainedCredit(captureId: string, leftCents: number): Promise<void> {
  const retained = await findRetainedCredit(captureId);
  if (!retained || retained.cents <= leftCents) return;
  const parts = await readCreditParts({ resolution: retained.resolutionId });
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
  await revokeFromParts(parts, retained.cents - leftCents, REFUND_REASON);
}

interface RetainedCredit extends Payer {
  resolutionId: string;
  /**
   * Cents of the credit that was given for the unmatched payment and not revoked, summed over all memberships to which
   * the credit moved.
   */
  cents: number;
}

/** Finds the credit that was given for an unmatched payment; null when the payment was not kept as credit. */
export const findRetainedCredit = (captureId: string): Promise<RetainedCredit | null> =>
  firstRow<RetainedCredit>(
    `SELECT r.id AS "resolutionId", r.chapter_id AS "chapterId", r.membership_id AS "membershipId",
            app.credit_of_resolution(r.organization_id, r.id) AS cents
       FROM capture_resolutions r
      WHERE r.organization_id = $1 AND r.capture_id = $2 AND r.resolution = 'keep_as_credit' AND r.status = 'done'`,
    [currentOrganization(), captureId],
  );

async function revokeFromParts(parts: readonly CreditPart[], cents: number, reason: string): Promise<void> {
  for (const [part, partCents] of await divideAmongParts(parts, cents)) await revokeFromPart(part, partCents, reason);
}

async function revokeFromPart(source: CreditPart, cents: number, reason: string): Promise<void> {
  const missing = cents - (await readTotalCredit(source));
  if (missing > 0) await unapplyCredit(source, missing);
  const revokedCents = Math.min(cents, await readTotalCredit(source));
  if (revokedCents > 0) await writeEntry(source, { ...source, kind: 'refunded', cents: revokedCents, reason });
  if (cents <= revokedCents) return;
  const shortfallId = await writeEntry(source, {
    ...source,
    kind: 'shortfall',
    cents: cents - revokedCents,
    reason: 'Refunded after the credit had been spent.',
  });
  await audit({
    action: 'credit.short',
    subjectType: 'credit',
    subjectId: shortfallId,
    after: { payment_id: source.paymentId, amount_cents: cents - revokedCents },
  });
  await notify(notifications.credit_short, [shortfallId]);
}

/**
 * Reverses applied credit, newest first. Applied entries do not say which source their credit came from, so the order
 * decides. If the last reversed entry was larger than needed, the excess is applied again.
 */
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
    if (amount > missing) await applyEntry(payer, invoiceId, amount - missing, 'Remaining credit after a refund.');
    missing -= amount;
  }
}
