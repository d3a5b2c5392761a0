import { audit } from '../../database/audit.js';
import { createRow, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { notifications } from '../notifications.js';
import { MoneyCase } from './MoneyCase.js';

/** A charge that paid several invoices and was partly refunded, without an allocation of the refund to the invoices. */
export interface UnallocatedCharge {
  captureId: string;
  processorId: string;
  intentId: string;
}

/**
 * Sets the case of a charge to its unallocated refunded amount, in cents: opens it, updates its amount, or closes it at
 * 0. The caller has locked the charge.
 */
export async function syncUnallocatedCase(
  { captureId, processorId, intentId }: UnallocatedCharge,
  kind: MoneyCase['kind'],
  cents: number,
): Promise<void> {
  const open = await lockForEditIfExists(MoneyCase, { capture_id: captureId, status: 'open' });
  if (!open && cents > 0) {
    const opened = await createRow(MoneyCase, {
      processor_id: processorId,
      capture_id: captureId,
      kind,
      gateway_object: intentId,
      amount_cents: cents,
    });
    await auditCase(opened, 'opened');
    return notify(notifications.money_case_opened, [opened.id], { actor: null });
  }
  if (!open || open.amount_cents === cents) return;
  if (cents > 0) {
    await editRow(open, { amount_cents: cents });
    return auditCase(open, 'changed');
  }
  await editRow(open, { status: 'closed', resolution: 'agreed', closed_at: now });
  await auditCase(open, 'closed');
  await resolveNotifications('money_case', open.id);
}

/** Writes the state of a case to the audit log, without any text that a person typed. */
export const auditCase = ({ id, kind, amount_cents, resolution }: MoneyCase, verb: string): Promise<void> =>
  audit({
    action: `money_case.${verb}`,
    subjectType: 'money_case',
    subjectId: id,
    after: { kind, amount_cents, resolution },
  });
