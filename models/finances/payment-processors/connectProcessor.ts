import { z } from 'zod';
import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { uuidv7 } from '../../database/uuid.js';
import { refuse } from '../../errors.js';
import { type Credentials, writeCredentials } from '../attempts/processorAccess.js';
import { financesErrors } from '../errors.js';
import { findActiveProcessor } from './activeProcessor.js';
import { OrgPaymentProcessor, type Provider } from './OrgPaymentProcessor.js';
import { type AccountIdentity, type Processor, readProcessor, seal } from './processor.js';
import { factsOf } from './providers.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';
import { claimWebhookSecret } from './webhookSecrets.js';

export interface NewProcessor {
  provider: Provider;
  label: string;
  publishable_key?: string | undefined;
  credentials: Credentials;
  webhook_secret: string;
  account_reference?: string | undefined;
}

/** Before the provider is asked about a key in vain. @throws Refusal processor_already_active */
export async function requireConnectable(): Promise<void> {
  if (await findActiveProcessor()) throw financesErrors.processor_already_active();
}

/**
 * A secret key and whatever else its provider wants.
 * @throws Refusal validation_error naming what is missing, wrong or unknown
 */
export function credentialsFor(
  provider: Provider,
  secretKey: string,
  settings: Record<string, string> = {},
): Credentials {
  const parsed = factsOf(provider).settings.safeParse(settings);
  if (parsed.success) return { ...parsed.data, secret_key: secretKey };
  const { fieldErrors, formErrors } = z.flattenError(parsed.error);
  const named = Object.entries<string[] | undefined>(fieldErrors).map(([name, messages]) => [
    `credentials.${name}`,
    messages ?? [],
  ]);
  throw refuse.validation_error(
    undefined,
    Object.fromEntries(named.length > 0 ? named : [['credentials', formErrors]]) as Record<string, string[]>,
  );
}

/**
 * @param account that the key opens, as the provider says
 * @throws Refusal processor_already_active, webhook_secret_in_use
 */
export async function connectProcessor(
  { provider, label, publishable_key, credentials, webhook_secret, account_reference }: NewProcessor,
  account: AccountIdentity,
): Promise<Processor> {
  await requireConnectable();
  await claimWebhookSecret(webhook_secret);
  // A sealed secret is tied to its row, so the row's id comes first.
  const id = uuidv7();
  await createRow(OrgPaymentProcessor, {
    id,
    provider,
    label,
    account_reference,
    publishable_key,
    secret_key_encrypted: seal(id, 'secret_key_encrypted', writeCredentials(credentials)),
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
