import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent, type ProviderAnswer, RefundBeforePayment } from '../../models/finances/webhooks/applyEvent.js';
import { chargeToRead, recordPaymentBefore } from '../../models/finances/webhooks/paymentBeforeRefund.js';
import type { DoubtedRefund } from '../../models/finances/webhooks/refundToRead.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';
import { triesBefore } from '../tries.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Tries during which the payment's own event may still arrive; after them the provider is asked. */
const PATIENT_TRIES = 2;

/**
 * Applies a stored event. Asks the provider first where the event does not carry enough; a second run finds it
 * applied. A refund whose payment is not recorded waits for it; on the third try the provider is asked about the
 * payment.
 */
export const applyStoredEvent = async (input: ApplyProcessorEventInput): Promise<void> => {
  const previousTries = triesBefore();
  try {
    await apply(input);
  } catch (error) {
    if (!(error instanceof RefundBeforePayment) || previousTries < PATIENT_TRIES) throw error;
    await recordPayment(input);
    await apply(input);
  }
};

async function apply({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> {
  const applied = (answer: ProviderAnswer | null) => inTenant(organizationId, () => applyEvent(webhookEventId, answer));
  const doubted = await applied(null);
  if (doubted) await applied(await ask(doubted));
}

async function ask(doubted: DoubtedRefund): Promise<ProviderAnswer> {
  const { about, access, intentId, disputeId, version, deliveries, askedAt } = doubted;
  if (about === 'disputes') {
    const disputes = await paymentPort(access).readDisputes(intentId, disputeId).catch(unlessUnknown);
    // The provider may have reported the money of a dispute as a refund before it reported the dispute's end.
    const hasMoved = disputes?.some(({ movements }) => movements.length > 0);
    const refunds = hasMoved ? await paymentPort(access).readRefunds(intentId).catch(unlessUnknown) : null;
    return { deliveries, read: refundsRead(refunds, version), disputes: disputes ? { askedAt, disputes } : null };
  }
  const refunds = await paymentPort(access).readRefunds(intentId).catch(unlessUnknown);
  return { deliveries, read: refundsRead(refunds, version) };
}

async function recordPayment({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> {
  const { isDisputed, intentId, access } = await inTenant(organizationId, () => chargeToRead(webhookEventId), {
    readOnly: true,
  });
  const charge = await paymentPort(access).readCharge(intentId).catch(unlessUnknown);
  const capturedCents = charge?.status === 'captured' ? charge.capturedCents : null;
  const [disputed] = isDisputed ? await paymentPort(access).readDisputes(intentId, null) : [];
  await inTenant(organizationId, () => recordPaymentBefore(webhookEventId, capturedCents, disputed?.reference));
}
