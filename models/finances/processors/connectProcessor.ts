import { audit } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { financesErrors } from '../errors.js';
import { type Processor, type Provider, readProcessor, seal } from './processor.js';

export interface NewProcessor {
  provider: Provider;
  label: string;
  publishable_key?: string | undefined;
  secret_key: string;
  webhook_secret: string;
  account_reference?: string | undefined;
}

/** @throws Refusal provider_not_implemented, processor_already_active */
export async function connectProcessor({
  provider,
  label,
  publishable_key,
  secret_key,
  webhook_secret,
  account_reference,
}: NewProcessor): Promise<Processor> {
  if (provider !== 'stripe') throw financesErrors.provider_not_implemented();
  // A sealed secret is tied to its row, so the row's id comes first.
  const id = uuidv7();
  await rows(
    `INSERT INTO org_payment_processors
       (id, organization_id, provider, label, account_reference, publishable_key, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      currentOrganization(),
      provider,
      label,
      account_reference ?? null,
      publishable_key ?? null,
      seal(id, 'secret_key_encrypted', secret_key),
      seal(id, 'webhook_secret_encrypted', webhook_secret),
    ],
  );
  await audit({
    action: 'payment_processor.connected',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { provider, label },
  });
  return readProcessor(id);
}
