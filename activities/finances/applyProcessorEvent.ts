import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent } from '../../models/finances/webhooks/applyEvent.js';
import { type DoubtedRefund, refundToRead } from '../../models/finances/webhooks/refundToRead.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';
import { heartbeating } from '../heartbeating.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Applies a stored event, asking the provider first where its word is not enough; running it again finds it applied. */
export const applyStoredEvent = ({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> =>
  heartbeating(async () => {
    const doubted = await inTenant(organizationId, () => refundToRead(webhookEventId), { readOnly: true });
    const answer = doubted && (await ask(doubted));
    await inTenant(organizationId, () => applyEvent(webhookEventId, answer));
  });

async function ask({ access, intentId, version, deliveries }: DoubtedRefund) {
  const refunds = await paymentPort(access).readRefunds(intentId).catch(unlessUnknown);
  return { deliveries, read: refundsRead(refunds, version) };
}
