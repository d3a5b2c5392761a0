import { audit } from '../../database/audit.js';
import { computed, editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { keepFlagged } from '../cases/keepCase.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { type AllocationInput, checkAllocations, insertAllocations, lockInvoices, sumOf } from './allocations.js';
import { remittanceErrors } from './errors.js';
import { lockRemittance, type Remittance, WAITING_SQL } from './remittance.js';
import { creditMembers, tellSettled } from './settleRemittance.js';

/**
 * Gives captured money that nobody was credited for to the invoices that an officer names. Nothing is charged.
 * The flag stays as history; `resolved_at` says that it was dealt with.
 * @throws Refusal validation_error, remittance_not_flagged, remittance_in_progress
 */
export async function resolveRemittance(
  remittanceId: string,
  shares: AllocationInput[],
  note: string,
  userId: string,
): Promise<void> {
  const remittance = found(await lockRemittance(remittanceId));
  if (remittance.status !== 'needs_reconciliation') throw remittanceErrors.remittance_not_flagged();

  await withdrawUnpaidShares(remittanceId);
  const allocations = await divide(remittance, shares);
  await refuseRepeatedInvoices(remittanceId, allocations);
  await insertAllocations(remittanceId, remittance.chapter_id, allocations);
  const { captureId, ...charge } = await takeFlaggedCapture(remittanceId);
  const payments = await creditMembers({ remittanceId, ...charge });
  await keepFlagged(captureId);
  const resolvedAt = computed('clock_timestamp()');
  await editRow(remittance, {
    ...(!remittance.settled_at && { processor_payment_id: charge.intentId, settled_at: resolvedAt }),
    resolved_at: resolvedAt,
    resolved_by: userId,
    reconciliation_note: note,
    total_cents: computed(SUM_OF_SHARES),
  });
  await tellSettled(remittanceId, payments);
  if (!(await flagNextCapture(remittanceId))) await resolveNotifications('remittance', remittanceId);
  await audit({
    action: 'remittance.resolved',
    subjectType: 'remittance',
    subjectId: remittanceId,
    after: { resolution_note: note, amount_cents: sumOf(allocations), invoices: allocations.length },
  });
}

/** SQL: what the shares of the remittance add up to. */
const SUM_OF_SHARES = `(SELECT sum(a.amount_cents) FROM chapter_remittance_allocations a
  WHERE a.organization_id = chapter_remittances.organization_id AND a.remittance_id = chapter_remittances.id)`;

/** No limit of charges: the money is there already, and more than was asked for may have been taken. */
async function divide(
  { chapter_id: chapterId, reconciliation_amount_cents: captured }: Remittance,
  shares: AllocationInput[],
): Promise<AllocationInput[]> {
  await lockInvoices(chapterId, shares);
  if (sumOf(shares) !== captured)
    throw invalid('allocations', 'The shares must add up to exactly the amount that was charged.');
  return checkAllocations(chapterId, shares);
}

/** Shares that were paid stay; those that were never credited make room for the new ones. Money on its way back is nobody's to place. */
async function withdrawUnpaidShares(remittanceId: string): Promise<void> {
  const { live } = await oneRow<{ live: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM payment_attempts WHERE remittance_id = $1 AND status = 'pending')
         OR EXISTS (SELECT 1 FROM processor_captures c JOIN capture_resolutions g ON g.organization_id = c.organization_id AND g.capture_id = c.id
                     WHERE c.organization_id = $2 AND c.remittance_id = $1 AND g.status = 'pending') AS live`,
    [remittanceId, currentOrganization()],
  );
  if (live) throw remittanceErrors.remittance_in_progress();
  await rows('DELETE FROM chapter_remittance_allocations WHERE remittance_id = $1 AND payment_record_id IS NULL', [
    remittanceId,
  ]);
}

async function refuseRepeatedInvoices(remittanceId: string, allocations: AllocationInput[]): Promise<void> {
  const paid = await rows<{ invoice_id: string }>(
    'SELECT invoice_id FROM chapter_remittance_allocations WHERE remittance_id = $1',
    [remittanceId],
  );
  const index = allocations.findIndex(({ invoice }) => paid.some(({ invoice_id }) => invoice_id === invoice));
  if (index >= 0) throw invalid(`allocations.${index}.invoice`, 'This remittance has paid this invoice already.');
}

/** The charge that waits longest. Another one that waits is the officer's next. */
async function takeFlaggedCapture(
  remittanceId: string,
): Promise<{ captureId: string; processorId: string; intentId: string }> {
  const taken = await firstRow<{ id: string; processor_id: string; intent_id: string }>(
    `UPDATE processor_captures SET disposition = 'resolved'
      WHERE id = (SELECT id FROM processor_captures WHERE organization_id = $1 AND remittance_id = $2 AND disposition = 'flagged'
                   ORDER BY id LIMIT 1)
      RETURNING id, processor_id, intent_id`,
    [currentOrganization(), remittanceId],
  );
  if (!taken) throw remittanceErrors.remittance_not_flagged();
  return { captureId: taken.id, processorId: taken.processor_id, intentId: taken.intent_id };
}

/** @returns whether another charge waits */
async function flagNextCapture(remittanceId: string): Promise<boolean> {
  const next = await firstRow(
    `UPDATE chapter_remittances r SET reconciliation_flagged_at = clock_timestamp(), reconciliation_reason = 'second_capture',
        reconciliation_amount_cents = ${WAITING_SQL}
      WHERE id = $1 AND ${WAITING_SQL} IS NOT NULL RETURNING id`,
    [remittanceId],
  );
  return next !== null;
}
