import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { uuidv7 } from '../../database/uuid.js';
import { financesErrors } from '../errors.js';
import { findActiveProcessor } from './activeProcessor.js';
import { OrgPaymentProcessor, type Provider } from './OrgPaymentProcessor.js';
import { type AccountIdentity, type Processor, readProcessor, seal } from './processor.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';

export interface NewProcessor {
  provider: Provider;
  label: string;
  publishable_key?: string | undefined;
  secret_key: string;
  webhook_secret: string;
  account_reference?: string | undefined;
}

/** Before the provider is asked about a key in vain. @throws Refusal provider_not_implemented, processor_already_active */
export async function requireConnectable(provider: Provider): Promise<void> {
  if (provider !== 'stripe') throw financesErrors.provider_not_implemented();
  if (await findActiveProcessor()) throw financesErrors.processor_already_active();
}

/**
 * @param account that the key opens, as the provider says
 * @throws Refusal provider_not_implemented, processor_already_active
 */
export async function connectProcessor(
  { provider, label, publishable_key, secret_key, webhook_secret, account_reference }: NewProcessor,
  account: AccountIdentity,
): Promise<Processor> {
  await requireConnectable(provider);
  // A sealed secret is tied to its row, so the row's id comes first.
  const id = uuidv7();
  await createRow(OrgPaymentProcessor, {
    id,
    provider,
    label,
    account_reference,
    publishable_key,
    secret_key_encrypted: seal(id, 'secret_key_encrypted', secret_key),
    webhook_secret_encrypted: seal(id, 'webhook_secret_encrypted', webhook_secret),
    gateway_account_id: account.accountId,
    gateway_livemode: account.livemode,
  });
  await audit({
    action: 'payment_processor.connected',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { provider, label, gateway_account_id: account.accountId },
  });
  await tellOtherAdmins('payment_processor_connected', label);
  return readProcessor(id);
}
