import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyEvent, type ProviderAnswer } from '../../models/finances/webhooks/applyEvent.js';
import type { DoubtedRefund } from '../../models/finances/webhooks/refundToRead.js';
import type { ApplyProcessorEventInput } from '../../workflows/contracts/applyProcessorEvent.js';
import { heartbeating } from '../heartbeating.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Applies a stored event, asking the provider first where its word is not enough; running it again finds it applied. */
export const applyStoredEvent = ({ organizationId, webhookEventId }: ApplyProcessorEventInput): Promise<void> =>
  heartbeating(async () => {
    const apply = (answer: ProviderAnswer | null) => inTenant(organizationId, () => applyEvent(webhookEventId, answer));
    const doubted = await apply(null);
    if (doubted) await apply(await ask(doubted));
  });

async function ask({ access, intentId, version, deliveries }: DoubtedRefund) {
  const refunds = await paymentPort(access).readRefunds(intentId).catch(unlessUnknown);
  return { deliveries, read: refundsRead(refunds, version) };
}
