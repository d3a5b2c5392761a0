import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent, type ProviderAnswer, RefundBeforePayment } from '../../models/finances/webhooks/applyEvent.js';
import { readUnreportedCharge, recordUnreportedPayment } from '../../models/finances/webhooks/paymentBeforeRefund.js';
import type { UnconfirmedRefund } from '../../models/finances/webhooks/refundToRead.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';
import { previousAttempts } from '../attempts.js';
import { summarizeRefunds, nullIfRefused } from './summarizeRefunds.js';

/**
 * Number of attempts in which the event of a refund waits until the event of its payment has been applied. After them,
 * the payment is read from the provider.
 */
const ATTEMPTS_BEFORE_READING = 2;

/**
 * Applies a stored event, and reads from the provider first if the event does not carry enough. A second run finds the
 * event applied. A refund whose payment is not recorded is retried; from the third attempt on, the payment is read from
 * the provider.
 */
export const applyStoredEvent = async (input: ApplyProcessorEventInput): Promise<void> => {
  const earlierAttempts = previousAttempts();
  try {
    await apply(input);
  } catch (error) {
    if (!(error instanceof RefundBeforePayment) || earlierAttempts < ATTEMPTS_BEFORE_READING) throw error;
    await recordPayment(input);
    await apply(input);
  }
};

async function apply({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> {
  const applyWith = (answer: ProviderAnswer | null) =>
    inTenant(organizationId, () => applyEvent(webhookEventId, answer));
  const incomplete = await applyWith(null);
  if (incomplete) await applyWith(await readFromProvider(incomplete));
}

async function readFromProvider(incomplete: UnconfirmedRefund): Promise<ProviderAnswer> {
  const { about, access, intentId, disputeId, version, deliveries, askedAt } = incomplete;
  if (about === 'disputes') {
    const disputes = await paymentPort(access).readDisputes(intentId, disputeId).catch(nullIfRefused);
    // If a dispute moved money, read the refunds as well: the provider may have reported this money as a refund before
    // it reported the end of the dispute.
    const hasMovements = disputes?.some(({ movements }) => movements.length > 0);
    const refunds = hasMovements ? await paymentPort(access).readRefunds(intentId).catch(nullIfRefused) : null;
    return { deliveries, read: summarizeRefunds(refunds, version), disputes: disputes ? { askedAt, disputes } : null };
  }
  const refunds = await paymentPort(access).readRefunds(intentId).catch(nullIfRefused);
  return { deliveries, read: summarizeRefunds(refunds, version) };
}

async function recordPayment({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> {
  const { isDisputed, intentId, access } = await inTenant(organizationId, () => readUnreportedCharge(webhookEventId), {
    readOnly: true,
  });
  const charge = await paymentPort(access).readCharge(intentId).catch(nullIfRefused);
  const captured = charge?.status === 'captured' ? charge : null;
  const [disputed] = isDisputed ? await paymentPort(access).readDisputes(intentId, null) : [];
  await inTenant(organizationId, () => recordUnreportedPayment(webhookEventId, captured, disputed?.reference));
}
