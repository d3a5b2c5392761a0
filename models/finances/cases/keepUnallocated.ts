import { audit } from '../../database/audit.js';
import { createRow, editRow, lockIfThere, now } from '../../database/model/change.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { told } from '../notifications.js';
import { MoneyCase } from './MoneyCase.js';

/** A charge of many, a part of which went back without a word of whose it was. */
export interface UnallocatedCharge {
  captureId: string;
  processorId: string;
  intentId: string;
}

/**
 * Keeps the case of a charge at what went back of it and is no payment's, in cents: opens it, follows the provider, and closes it
 * where nothing waits any more. The caller holds the charge.
 */
export async function keepUnallocated(
  { captureId, processorId, intentId }: UnallocatedCharge,
  kind: MoneyCase['kind'],
  cents: number,
): Promise<void> {
  const open = await lockIfThere(MoneyCase, { capture_id: captureId, status: 'open' });
  if (!open && cents > 0) {
    const opened = await createRow(MoneyCase, {
      processor_id: processorId,
      capture_id: captureId,
      kind,
      gateway_object: intentId,
      amount_cents: cents,
    });
    await note(opened, 'opened');
    return notify(told.money_case_opened, [opened.id], { actor: null });
  }
  if (!open || open.amount_cents === cents) return;
  if (cents > 0) {
    await editRow(open, { amount_cents: cents });
    return note(open, 'changed');
  }
  await editRow(open, { status: 'closed', resolution: 'agreed', closed_at: now });
  await note(open, 'closed');
  await resolveNotifications('money_case', open.id);
}

/** The log says what became of a case, and nothing that was typed. */
export const note = ({ id, kind, amount_cents, resolution }: MoneyCase, verb: string): Promise<void> =>
  audit({
    action: `money_case.${verb}`,
    subjectType: 'money_case',
    subjectId: id,
    after: { kind, amount_cents, resolution },
  });
