import { audit } from '../../database/audit.js';
import { computed, createRow, editRow } from '../../database/model/change.js';
import { oneRow, rows } from '../../database/rows.js';
import { notify, notifyAll } from '../../notifications/notify.js';
import { concludeAttempt } from '../attempts/concludeAttempt.js';
import { captureOf, ProcessorCapture } from '../captures/ProcessorCapture.js';
import { keepFlagged } from '../cases/keepCase.js';
import { told } from '../notifications.js';
import { staleAllocations } from './allocations.js';
import type { FlagReason } from './ChapterRemittance.js';
import { lockRemittance, type Remittance, STATUS_SQL, WAITING_SQL } from './remittance.js';

export interface CapturedCharge {
  remittanceId: string;
  processorId: string;
  intentId: string;
  /** What the processor says it took, in cents. */
  amountCents: number;
}

export type Settlement = 'settled' | 'flagged';

/**
 * Credits every member whose share a captured charge pays, or flags the remittance and credits nobody.
 * Whoever learns of the capture calls this, as often as they learn of it: the first call decides.
 * @returns null when this tenant has no such remittance
 */
export async function settleRemittance(charge: CapturedCharge): Promise<Settlement | null> {
  const remittance = await lockRemittance(charge.remittanceId);
  if (!remittance) return null;
  const decided = await earlierDecision(charge);
  if (decided) return concludeAs(decided, charge);

  const problem = await problemWith(remittance, charge);
  if (problem) return flagRemittance(charge, problem);
  await recordCapture(charge, 'recorded');
  const payments = await creditMembers(charge);
  await editRow(remittance, {
    processor_payment_id: charge.intentId,
    settled_at: computed('clock_timestamp()'),
  });
  await tellSettled(charge.remittanceId, payments);
  await concludeAs('settled', charge);
  await audit({
    action: 'remittance.settled',
    subjectType: 'remittance',
    subjectId: charge.remittanceId,
    after: { processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  return 'settled';
}

/** Marks money that was captured and not credited. Each such charge waits for an officer, the oldest first. */
export async function flagRemittance(charge: CapturedCharge, reason: FlagReason): Promise<Settlement> {
  const decided = await earlierDecision(charge);
  if (decided) return concludeAs(decided, charge);
  const captureId = await recordCapture(charge, 'flagged');
  await keepFlagged(captureId);
  const { at } = await oneRow<{ at: string }>(
    `UPDATE chapter_remittances r SET
        processor_payment_id = coalesce(processor_payment_id, $2),
        reconciliation_flagged_at = clock_timestamp(), reconciliation_amount_cents = ${WAITING_SQL},
        reconciliation_reason = CASE WHEN (${STATUS_SQL}) = 'needs_reconciliation' THEN reconciliation_reason ELSE $3 END
      WHERE id = $1 RETURNING ${FLAGGED_AT} AS at`,
    [charge.remittanceId, charge.intentId, reason],
  );
  await tellFlagged(charge.remittanceId, at);
  await concludeAs('flagged', charge);
  await audit({
    action: 'remittance.flagged',
    subjectType: 'remittance',
    subjectId: charge.remittanceId,
    after: { reason, processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  return 'flagged';
}

/** SQL that tells flags of a remittance apart. */
export const FLAGGED_AT = `to_char(reconciliation_flagged_at, 'YYYYMMDDHH24MISSUS')`;

/** Whoever may resolve it is asked to. @param at `FLAGGED_AT` */
export const tellFlagged = (remittanceId: string, at: string): Promise<void> =>
  notify(told.remittance_flagged, [remittanceId], { cause: `flagged:${at}` });

/** Each payer, and whoever pays for them all. */
export const tellSettled = (remittanceId: string, payments: string[]): Promise<void> =>
  notifyAll([told.payment_recorded, payments], [told.remittance_settled, [remittanceId]]);

/** Whoever decided may not have known the attempt yet: it ends with the charge in any case. */
async function concludeAs(settlement: Settlement, { intentId, processorId }: CapturedCharge): Promise<Settlement> {
  await concludeAttempt({ intentId, processorId }, { status: settlement === 'settled' ? 'succeeded' : 'flagged' });
  return settlement;
}

async function earlierDecision({ processorId, intentId }: CapturedCharge): Promise<Settlement | null> {
  const capture = await captureOf(processorId, intentId);
  if (!capture) return null;
  return capture.disposition === 'flagged' ? 'flagged' : 'settled';
}

async function problemWith(remittance: Remittance, charge: CapturedCharge): Promise<FlagReason | null> {
  if (remittance.settled_at || remittance.status === 'needs_reconciliation') return 'second_capture';
  if (charge.amountCents !== remittance.total_cents) return 'amount_mismatch';
  return (await staleAllocations(remittance.id)).length > 0 ? 'allocation_stale' : null;
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
 * One child payment a share, in one statement however many there are; triggers bring the invoices up to date.
 * @returns the ids of the payments
 */
export async function creditMembers({
  remittanceId,
  processorId,
  intentId,
}: Omit<CapturedCharge, 'amountCents'>): Promise<string[]> {
  const children = await rows<{ id: string }>(
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
  return children.map(({ id }) => id);
}
