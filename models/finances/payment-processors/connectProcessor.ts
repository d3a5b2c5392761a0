import { z } from 'zod';
import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { uuidv7 } from '../../database/uuid.js';
import { refuse } from '../../errors.js';
import { type Credentials, serializeCredentials } from '../attempts/processorAccess.js';
import { financesErrors } from '../errors.js';
import { findActiveProcessor } from './activeProcessor.js';
import { OrgPaymentProcessor, type Provider, type Purpose } from './OrgPaymentProcessor.js';
import { type AccountIdentity, type Processor, readProcessor, encryptSecret } from './processor.js';
import { providerFacts } from './providers.js';
import { notifyOtherAdmins } from './notifyOtherAdmins.js';
import { claimWebhookSecret } from './webhookSecrets.js';

export interface NewProcessor {
  purpose: Purpose;
  provider: Provider;
  label: string;
  publishable_key?: string | undefined;
  credentials: Credentials;
  webhook_secret: string;
  account_reference?: string | undefined;
}

/**
 * Checks that no processor is active, before the provider is asked about the key. @throws Refusal
 * processor_already_active
 */
export async function requireConnectable(purpose: Purpose): Promise<void> {
  if (await findActiveProcessor(purpose)) throw financesErrors.processor_already_active();
}

/**
 * Validates a secret key and the provider's other settings.
 * @throws Refusal validation_error for missing, wrong or unknown settings
 */
export function credentialsFor(
  provider: Provider,
  secretKey: string,
  settings: Record<string, string> = {},
): Credentials {
  const parsed = providerFacts(provider).settings.safeParse(settings);
  if (parsed.success) return { ...parsed.data, secret_key: secretKey };
  const { fieldErrors, formErrors } = z.flattenError(parsed.error);
  const fieldMessages = Object.entries<string[] | undefined>(fieldErrors).map(([name, messages]) => [
    `credentials.${name}`,
    messages ?? [],
  ]);
  throw refuse.validation_error(
    undefined,
    Object.fromEntries(fieldMessages.length > 0 ? fieldMessages : [['credentials', formErrors]]) as Record<
      string,
      string[]
    >,
  );
}

/**
 * Connects a processor.
 * @param account the provider account that the key belongs to, as the provider reports it
 * @throws Refusal processor_already_active, webhook_secret_in_use
 */
export async function connectProcessor(
  { purpose, provider, label, publishable_key, credentials, webhook_secret, account_reference }: NewProcessor,
  account: AccountIdentity,
): Promise<Processor> {
  await requireConnectable(purpose);
  await claimWebhookSecret(webhook_secret);
  // Choose the row's id before encrypting, because each encrypted secret is bound to the id of its row.
  const id = uuidv7();
  await createRow(OrgPaymentProcessor, {
    id,
    purpose,
    provider,
    label,
    account_reference,
    publishable_key,
    secret_key_encrypted: encryptSecret(id, 'secret_key_encrypted', serializeCredentials(credentials)),
    webhook_secret_encrypted: encryptSecret(id, 'webhook_secret_encrypted', webhook_secret),
    gateway_account_id: account.accountId,
    gateway_livemode: account.livemode,
  });
  await audit({
    action: 'payment_processor.connected',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { purpose, provider, label, gateway_account_id: account.accountId },
  });
  await notifyOtherAdmins('payment_processor_connected', id);
  return readProcessor(id, purpose);
}
