import { audit } from '../../database/audit.js';
import { computed, editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { syncFlaggedCase } from '../cases/syncCases.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { type AllocationInput, checkAllocations, insertAllocations, lockInvoices, sumOf } from './allocations.js';
import { remittanceErrors } from './errors.js';
import { lockRemittance, type Remittance } from './remittance.js';
import { insertChildPayments, notifySettled } from './settleRemittance.js';

/**
 * Allocates captured but uncredited money to the invoices that an officer names. Nothing is charged. The flag stays as
 * history; `resolved_at` records the resolution.
 * @throws Refusal validation_error, remittance_not_flagged, remittance_in_progress
 */
export async function resolveRemittance(
  remittanceId: string,
  requested: AllocationInput[],
  note: string,
  userId: string,
): Promise<void> {
  const remittance = requireFound(await lockRemittance(remittanceId));
  if (remittance.status !== 'needs_reconciliation') throw remittanceErrors.remittance_not_flagged();

  await deleteUnpaidAllocations(remittanceId);
  const allocations = await checkTotal(remittance, requested);
  await requireNewInvoices(remittanceId, allocations);
  await insertAllocations(remittanceId, remittance.chapter_id, allocations);
  const { captureId, ...charge } = await resolveOldestCapture(remittanceId);
  const payments = await insertChildPayments({ remittanceId, ...charge });
  await syncFlaggedCase(captureId);
  const resolvedAt = computed('clock_timestamp()');
  await editRow(remittance, {
    ...(!remittance.settled_at && { processor_payment_id: charge.intentId, settled_at: resolvedAt }),
    resolved_at: resolvedAt,
    resolved_by: userId,
    reconciliation_note: note,
    total_cents: computed(SUM_OF_ALLOCATIONS),
  });
  await notifySettled(remittanceId, payments);
  if (!(await flagNextCapture(remittanceId))) await resolveNotifications('remittance', remittanceId);
  await audit({
    action: 'remittance.resolved',
    subjectType: 'remittance',
    subjectId: remittanceId,
    after: { resolution_note: note, amount_cents: sumOf(allocations), invoices: allocations.length },
  });
}

/** SQL: the total of the remittance's allocations. */
const SUM_OF_ALLOCATIONS = `(SELECT sum(a.amount_cents) FROM chapter_remittance_allocations a
  WHERE a.organization_id = chapter_remittances.organization_id AND a.remittance_id = chapter_remittances.id)`;

/**
 * Checks the allocations against the captured amount. The limits of charges do not apply, because the money is already
 * captured and may exceed them.
 */
async function checkTotal(
  { chapter_id: chapterId, reconciliation_amount_cents: captured }: Remittance,
  requested: AllocationInput[],
): Promise<AllocationInput[]> {
  await lockInvoices(chapterId, requested);
  if (sumOf(requested) !== captured)
    throw invalid('allocations', 'The allocations must add up to exactly the charged amount.');
  return checkAllocations(chapterId, requested);
}

/**
 * Deletes unpaid allocations, which the new ones replace; paid ones stay. Refuses while a payment or refund of the
 * remittance is pending.
 */
async function deleteUnpaidAllocations(remittanceId: string): Promise<void> {
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

async function requireNewInvoices(remittanceId: string, allocations: AllocationInput[]): Promise<void> {
  const paid = await rows<{ invoice_id: string }>(
    'SELECT invoice_id FROM chapter_remittance_allocations WHERE remittance_id = $1',
    [remittanceId],
  );
  const index = allocations.findIndex(({ invoice }) => paid.some(({ invoice_id }) => invoice_id === invoice));
  if (index >= 0) throw invalid(`allocations.${index}.invoice`, 'This remittance has already paid this invoice.');
}

/**
 * Marks the oldest flagged charge of a remittance as resolved. If another charge is flagged, the officer resolves it
 * afterwards.
 * @throws Refusal remittance_not_flagged
 */
async function resolveOldestCapture(
  remittanceId: string,
): Promise<{ captureId: string; processorId: string; intentId: string }> {
  const capture = await firstRow<{ id: string; processor_id: string; intent_id: string }>(
    `UPDATE processor_captures SET disposition = 'resolved'
      WHERE id = (SELECT id FROM processor_captures WHERE organization_id = $1 AND remittance_id = $2 AND disposition = 'flagged'
                   ORDER BY id LIMIT 1)
      RETURNING id, processor_id, intent_id`,
    [currentOrganization(), remittanceId],
  );
  if (!capture) throw remittanceErrors.remittance_not_flagged();
  return { captureId: capture.id, processorId: capture.processor_id, intentId: capture.intent_id };
}

/**
 * Flags the remittance for its next flagged charge with an uncredited amount.
 * @returns whether there is one
 */
async function flagNextCapture(remittanceId: string): Promise<boolean> {
  const next = await firstRow(
    `UPDATE chapter_remittances r SET reconciliation_flagged_at = clock_timestamp(), reconciliation_reason = 'second_capture',
        reconciliation_amount_cents = app.uncredited_of_remittance(r.organization_id, r.id)
      WHERE id = $1 AND app.uncredited_of_remittance(r.organization_id, r.id) IS NOT NULL RETURNING id`,
    [remittanceId],
  );
  return next !== null;
}
