import { currentOrganization } from '../../database/rows.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';

/** What a form hosted by the gateway needs. Its charge carries the metadata, and comes back by event. */
export async function readPaymentConfig({
  id,
  currency,
  total_cents,
}: {
  id: string;
  currency: string;
  total_cents: number | null;
}) {
  const processor = await requireActiveProcessor();
  return {
    provider: processor.provider,
    publishable_key: processor.publishable_key,
    currency,
    amount_cents: total_cents,
    metadata: { remittance_id: id, organization_id: currentOrganization(), processor_id: processor.id },
  };
}
