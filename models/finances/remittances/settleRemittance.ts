import { audit } from '../../database/audit.js';
import { computed, createRow, editRow } from '../../database/model/change.js';
import { oneRow, rows } from '../../database/rows.js';
import { notify, notifyAll } from '../../notifications/notify.js';
import { concludeAttempt } from '../attempts/concludeAttempt.js';
import { findCapture, ProcessorCapture } from '../captures/ProcessorCapture.js';
import { syncFlaggedCase } from '../cases/syncCases.js';
import { notifications } from '../notifications.js';
import { findStaleAllocations } from './allocations.js';
import type { FlagReason } from './ChapterRemittance.js';
import { lockRemittance, REMITTANCE_STATE, type Remittance } from './remittance.js';

export interface CapturedCharge {
  remittanceId: string;
  processorId: string;
  intentId: string;
  /** Captured amount according to the processor, in cents. */
  amountCents: number;
}

export type Settlement = 'settled' | 'flagged';

/**
 * Pays every invoice of a captured charge's remittance, or flags the remittance and pays none. Every part of the
 * platform that learns of the capture calls this, possibly repeatedly; the first call decides.
 * @returns null when this tenant has no such remittance
 */
export async function settleRemittance(charge: CapturedCharge): Promise<Settlement | null> {
  const remittance = await lockRemittance(charge.remittanceId);
  if (!remittance) return null;
  const earlier = await findEarlierOutcome(charge);
  if (earlier) return concludeCharge(earlier, charge);

  const problem = await findProblem(remittance, charge);
  if (problem) return flagRemittance(charge, problem);
  await recordCapture(charge, 'recorded');
  const payments = await insertChildPayments(charge);
  await editRow(remittance, {
    processor_payment_id: charge.intentId,
    settled_at: computed('clock_timestamp()'),
  });
  await notifySettled(charge.remittanceId, payments);
  await concludeCharge('settled', charge);
  await audit({
    action: 'remittance.settled',
    subjectType: 'remittance',
    subjectId: charge.remittanceId,
    after: { processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  return 'settled';
}

/** Flags captured money that paid no invoice. Officers resolve such charges one by one, the oldest first. */
export async function flagRemittance(charge: CapturedCharge, reason: FlagReason): Promise<Settlement> {
  const earlier = await findEarlierOutcome(charge);
  if (earlier) return concludeCharge(earlier, charge);
  const captureId = await recordCapture(charge, 'flagged');
  await syncFlaggedCase(captureId);
  const { at } = await oneRow<{ at: string }>(
    `UPDATE chapter_remittances r SET
        processor_payment_id = coalesce(processor_payment_id, $2),
        reconciliation_flagged_at = clock_timestamp(), reconciliation_amount_cents = app.uncredited_of_remittance(r.organization_id, r.id),
        reconciliation_reason = CASE WHEN (SELECT state.status FROM ${REMITTANCE_STATE}) = 'needs_reconciliation' THEN reconciliation_reason ELSE $3 END
      WHERE id = $1 RETURNING ${FLAG_TIME_SQL} AS at`,
    [charge.remittanceId, charge.intentId, reason],
  );
  await notifyFlagged(charge.remittanceId, at);
  await concludeCharge('flagged', charge);
  await audit({
    action: 'remittance.flagged',
    subjectType: 'remittance',
    subjectId: charge.remittanceId,
    after: { reason, processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  return 'flagged';
}

/**
 * SQL of the time at which a remittance was flagged. It is part of the notification's key, so that each flag is
 * notified once.
 */
export const FLAG_TIME_SQL = `to_char(reconciliation_flagged_at, 'YYYYMMDDHH24MISSUS')`;

/** Notifies the users who may resolve the remittance. @param at `FLAG_TIME_SQL` of the flag */
export const notifyFlagged = (remittanceId: string, at: string): Promise<void> =>
  notify(notifications.remittance_flagged, [remittanceId], { cause: `flagged:${at}` });

/** Notifies each payer, and the officers who paid the remittance. */
export const notifySettled = (remittanceId: string, payments: string[]): Promise<void> =>
  notifyAll([notifications.payment_recorded, payments], [notifications.remittance_settled, [remittanceId]]);

/**
 * Ends the attempt of a charge with the charge's outcome. An earlier call with the same charge may not have found the
 * attempt, because its charge id was not recorded yet.
 */
async function concludeCharge(settlement: Settlement, { intentId, processorId }: CapturedCharge): Promise<Settlement> {
  await concludeAttempt({ intentId, processorId }, { status: settlement === 'settled' ? 'succeeded' : 'flagged' });
  return settlement;
}

async function findEarlierOutcome({ processorId, intentId }: CapturedCharge): Promise<Settlement | null> {
  const capture = await findCapture(processorId, intentId);
  if (!capture) return null;
  return capture.disposition === 'flagged' ? 'flagged' : 'settled';
}

async function findProblem(remittance: Remittance, charge: CapturedCharge): Promise<FlagReason | null> {
  if (remittance.settled_at || remittance.status === 'needs_reconciliation') return 'second_capture';
  if (charge.amountCents !== remittance.total_cents) return 'amount_mismatch';
  return (await findStaleAllocations(remittance.id)).length > 0 ? 'allocation_stale' : null;
}

async function recordCapture(charge: CapturedCharge, disposition: 'recorded' | 'flagged'): Promise<string> {
  const { id } = await createRow(ProcessorCapture, {
    processor_id: charge.processorId,
    intent_id: charge.intentId,
    remittance_id: charge.remittanceId,
    amount_cents: charge.amountCents,
    disposition,
  });
  return id;
}

/**
 * Inserts one child payment per allocation in one statement; triggers update the invoices.
 * @returns the ids of the payments
 */
export async function insertChildPayments({
  remittanceId,
  processorId,
  intentId,
}: Omit<CapturedCharge, 'amountCents'>): Promise<string[]> {
  const payments = await rows<{ id: string }>(
    `WITH children AS (
       INSERT INTO payment_records (organization_id, invoice_id, processor_id, processor_payment_id, intent_id, remittance_id,
                                    amount_cents, status, paid_at)
       SELECT organization_id, invoice_id, $2, remittance_id || ':' || invoice_id, $3, remittance_id, amount_cents, 'succeeded', now()
         FROM chapter_remittance_allocations WHERE remittance_id = $1 AND payment_record_id IS NULL
       RETURNING id, organization_id, invoice_id)
     UPDATE chapter_remittance_allocations a SET payment_record_id = children.id, reserved_by_attempt_id = NULL
       FROM children
      WHERE a.organization_id = children.organization_id AND a.remittance_id = $1 AND a.invoice_id = children.invoice_id
      RETURNING children.id`,
    [remittanceId, processorId, intentId],
  );
  return payments.map(({ id }) => id);
}
