import { currentOrganization, firstRow } from '../../database/rows.js';
import { remittanceErrors } from './errors.js';

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
  const processor = await firstRow<{ id: string; provider: string; publishable_key: string | null }>(
    'SELECT id, provider, publishable_key FROM org_payment_processors WHERE disabled_at IS NULL',
  );
  if (!processor) throw remittanceErrors.payment_processor_required();
  return {
    provider: processor.provider,
    publishable_key: processor.publishable_key,
    currency,
    amount_cents: total_cents,
    metadata: { remittance_id: id, organization_id: currentOrganization(), processor_id: processor.id },
  };
}
