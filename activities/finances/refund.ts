/** The step that gives money back on its charge. It reads the rows again and may be run any number of times. */
import { isRefusal, OutcomeUnknown, type PaymentPort } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  loadRefund,
  noteRefunds,
  noteSent,
  refundStatus,
  type RefundToSend,
} from '../../models/finances/refunds/sendRefund.js';
import { CALLED_OFF, failRefund } from '../../models/finances/refunds/settleRefunds.js';
import type { RefundInput, RefundOutcome } from '../../workflows/contracts/refund.js';
import { RefundsChanged } from '../../models/finances/captures/refundCapture.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Asks for the refund, looking first for one that an earlier try may have made. @returns `pending` while a bank takes its time */
export const sendRefund = async ({ organizationId, refundId }: RefundInput): Promise<RefundOutcome | 'pending'> => {
  const refund = await inTenant(organizationId, () => loadRefund(refundId), { readOnly: true });
  if (isOver(refund.status)) return refund.status;
  const port = paymentPort(refund.access);
  const isOurs = (one: { refundId: string | null }) => one.refundId === refundId;
  const made = await port.readRefunds(refund.intentId).catch(unlessUnknown);
  const refused = made?.some(isOurs) ? null : await ask(port, organizationId, refund);
  await hear();
  const status = await inTenant(organizationId, () => refundStatus(refundId), { readOnly: true });
  return status && isOver(status) ? status : 'pending';

  /** Asked again: what others give back of the charge counts too, whichever of us notes it first. */
  async function hear(left = MOST_HEARINGS): Promise<void> {
    const { version } = await inTenant(organizationId, () => loadRefund(refundId), { readOnly: true });
    const read = refundsRead(await port.readRefunds(refund.intentId).catch(unlessUnknown), version);
    // Refused, perhaps because an earlier try that nobody heard of went through just now.
    if (!read?.marked.some(isOurs)) {
      if (refused === null) throw new OutcomeUnknown('The provider does not know of the refund that it was asked for.');
      return inTenant(organizationId, () => failRefund(refundId, refused));
    }
    try {
      await inTenant(organizationId, () => noteRefunds(refund, read));
    } catch (error) {
      // Another refund of the same charge was noted meanwhile: as when a whole event is given back.
      if (!(error instanceof RefundsChanged) || left === 0) throw error;
      await hear(left - 1);
    }
  }
};

/** So often at once; then it is the process that waits. */
const MOST_HEARINGS = 5;

const isOver = (status: string): status is RefundOutcome => status === 'succeeded' || status === 'failed';

/**
 * Under one key, so that however often it is asked for, it goes back once.
 * @returns why it cannot go back; null: it was asked for
 */
async function ask(
  port: PaymentPort,
  organizationId: string,
  { id, intentId, amountCents, processorId, mayBeAsked }: RefundToSend,
): Promise<string | null> {
  // The key may be forgotten, and the provider does not know the refund: nothing has come of it, and nothing will.
  if (!mayBeAsked) return 'never_made';
  if (!(await inTenant(organizationId, () => noteSent(id)))) return CALLED_OFF;
  const reference = { organization_id: organizationId, processor_id: processorId };
  try {
    await port.refundCharge({ intentId, amountCents, refundId: id, reference, idempotencyKey: `refund:${id}` });
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.failureCode;
  }
}
