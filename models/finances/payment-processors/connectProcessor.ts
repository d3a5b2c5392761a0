import { audit } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { financesErrors } from '../errors.js';
import { type AccountIdentity, type Processor, type Provider, readProcessor, seal } from './processor.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';
import { findActiveProcessor } from './activeProcessor.js';

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
  await rows(
    `INSERT INTO org_payment_processors
       (id, organization_id, provider, label, account_reference, publishable_key, secret_key_encrypted, webhook_secret_encrypted,
        gateway_account_id, gateway_livemode)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      currentOrganization(),
      provider,
      label,
      account_reference ?? null,
      publishable_key ?? null,
      seal(id, 'secret_key_encrypted', secret_key),
      seal(id, 'webhook_secret_encrypted', webhook_secret),
      account.accountId,
      account.livemode,
    ],
  );
  await audit({
    action: 'payment_processor.connected',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { provider, label, gateway_account_id: account.accountId },
  });
  await tellOtherAdmins('payment_processor_connected', label);
  return readProcessor(id);
}
