import { currentOrganization } from '../../database/rows.js';
import { openAccess } from '../attempts/processorAccess.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';

import type { OrgPaymentProcessor } from '../payment-processors/OrgPaymentProcessor.js';
import { providerFacts } from '../payment-processors/providers.js';

/**
 * Returns the data for a payment form that the gateway hosts. The form attaches the metadata to the charge, and the
 * webhook event of the charge returns it.
 */
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
    settings: formSettings(processor),
    currency,
    amount_cents: total_cents,
    metadata: { remittance_id: id, organization_id: currentOrganization(), processor_id: processor.id },
  };
}

/** Returns the account settings that the provider's script in the browser needs. */
function formSettings({ id, provider, secret_key_encrypted }: OrgPaymentProcessor): Record<string, string> {
  const names = providerFacts(provider).formSettings;
  if (names.length === 0) return {};
  const { credentials } = openAccess(id, provider, secret_key_encrypted);
  return Object.fromEntries(names.map((name) => [name, credentials[name] ?? '']));
}
