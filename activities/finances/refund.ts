/** Refunds money on its charge. The step reads the rows again and may run any number of times. */
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

/**
 * Requests the refund; first looks for one that an earlier try made. @returns `pending` while the bank processes it
 */
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

  /** Reads the refunds again: refunds made by others count too, whichever process records them first. */
  async function hear(left = MOST_HEARINGS): Promise<void> {
    const { version } = await inTenant(organizationId, () => loadRefund(refundId), { readOnly: true });
    const read = refundsRead(await port.readRefunds(refund.intentId).catch(unlessUnknown), version);
    // The refusal may mean that an earlier try, whose answer was lost, has just succeeded.
    if (!read?.marked.some(isOurs)) {
      if (refused === null) throw new OutcomeUnknown('The provider does not know of the refund that it was asked for.');
      return inTenant(organizationId, () => failRefund(refundId, refused));
    }
    try {
      await inTenant(organizationId, () => noteRefunds(refund, read));
    } catch (error) {
      // Another refund of the same charge was recorded meanwhile, as when a whole event is refunded.
      if (!(error instanceof RefundsChanged) || left === 0) throw error;
      await hear(left - 1);
    }
  }
};

/** Immediate retries; after them the process waits. */
const MOST_HEARINGS = 5;

const isOver = (status: string): status is RefundOutcome => status === 'succeeded' || status === 'failed';

/** Requests the refund under one key, so that repeated requests refund once. */
async function ask(
  port: PaymentPort,
  organizationId: string,
  { id, intentId, amountCents, processorId, mayBeAsked }: RefundToSend,
): Promise<string | null> {
  // The key may have expired and the provider does not know the refund: it was never made and never will be.
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
