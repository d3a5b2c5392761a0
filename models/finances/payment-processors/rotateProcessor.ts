import { audit } from '../../database/audit.js';
import { type Change, computed, editRow, lockExclusive } from '../../database/model/change.js';
import { requireFound, refuse } from '../../errors.js';
import { type Credentials, parseCredentials, serializeCredentials } from '../attempts/processorAccess.js';
import { financesErrors } from '../errors.js';
import { type AccountProof, readAccountProofs } from './accountProofs.js';
import { OrgPaymentProcessor, type Provider, type Purpose } from './OrgPaymentProcessor.js';
import { type AccountIdentity, type Processor, readProcessor, encryptSecret, decryptSecret } from './processor.js';
import { providerFacts } from './providers.js';
import { notifyOtherAdmins } from './notifyOtherAdmins.js';
import { claimWebhookSecret } from './webhookSecrets.js';

/** The account of a new key. */
export interface NewAccount extends AccountIdentity {
  /** Whether it is proven that this is the account of the previous key. */
  proven: boolean;
}

export interface NewSecrets {
  /** All credentials, including unchanged ones. */
  credentials?: Credentials | undefined;
  webhook_secret?: string | undefined;
  retire_now?: boolean | undefined;
  version?: number | undefined;
}

/** The previous key, to compare a new key with. */
export interface PreviousKey {
  provider: Provider;
  credentials: Credentials;
  /** The account of the previous key; null for a processor that was connected before accounts were recorded. */
  account: AccountIdentity | null;
  /**
   * Objects of which the new key's account must know at least one. They are needed if the old key no longer works or
   * the provider does not report accounts.
   */
  proofs: AccountProof[];
}

/** Reads the previous key for the comparison. @throws Refusal not_found, stale_version */
export async function readPreviousKey(id: string, purpose: Purpose, { version }: NewSecrets): Promise<PreviousKey> {
  const stored = await lockProcessor(id, purpose, version);
  const account = toAccount(stored);
  return {
    provider: stored.provider,
    credentials: parseCredentials(decryptSecret(id, 'secret_key_encrypted', stored.secret_key_encrypted)),
    account,
    proofs: account && providerFacts(stored.provider).reportsAccount ? [] : await readAccountProofs(id),
  };
}

/**
 * Replaces secrets. The previous webhook secret stays valid for a day, because events may already be signed with it;
 * with `retire_now` it expires at once. An even older secret always expires. A disabled processor stays disabled but
 * can be rotated, so that a leaked secret becomes useless.
 * @param account the new key's account, according to the provider
 * @throws Refusal not_found, stale_version, processor_other_account, webhook_secret_in_use
 */
export async function rotateProcessor(
  id: string,
  purpose: Purpose,
  { credentials, webhook_secret, retire_now = false, version }: NewSecrets,
  account?: NewAccount,
): Promise<Processor> {
  const stored = await lockProcessor(id, purpose, version);
  if (webhook_secret !== undefined) await claimWebhookSecret(webhook_secret);
  await editRow(stored, {
    ...(credentials !== undefined && (await keyChange(stored, credentials, account))),
    ...(webhook_secret !== undefined && webhookSecretChange(stored, webhook_secret)),
    ...(retire_now && { previous_webhook_secret_encrypted: null, previous_webhook_secret_expires_at: null }),
  });
  const rotated = Object.entries({ secret_key: credentials, webhook_secret }).flatMap(([name, sent]) =>
    sent ? [name] : [],
  );
  await audit({
    action: 'payment_processor.rotated',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { rotated, ...(retire_now && { retired: 'previous_webhook_secret' }) },
  });
  await notifyOtherAdmins('payment_processor_rotated', id);
  return readProcessor(id, purpose);
}

/** Locks a processor. @throws Refusal not_found, stale_version */
async function lockProcessor(id: string, purpose: Purpose, version: number | undefined): Promise<OrgPaymentProcessor> {
  const stored = requireFound(await lockExclusive(OrgPaymentProcessor, { id, purpose }));
  if (version !== undefined && version !== stored.version) throw refuse.stale_version();
  return stored;
}

const toAccount = (stored: OrgPaymentProcessor): AccountIdentity | null =>
  stored.gateway_account_id === null || stored.gateway_livemode === null
    ? null
    : { accountId: stored.gateway_account_id, livemode: stored.gateway_livemode };

async function keyChange(
  stored: OrgPaymentProcessor,
  credentials: Credentials,
  account: NewAccount | undefined,
): Promise<Change<OrgPaymentProcessor>> {
  if (!account) throw new Error('The account of the new key was not read.');
  const previousAccount = toAccount(stored) ?? account;
  if (previousAccount.accountId !== account.accountId || previousAccount.livemode !== account.livemode)
    throw financesErrors.processor_other_account();
  // While work is pending, refuse a key whose account is not proven to be the same: the key of another account could
  // not look that work up.
  if (!account.proven && (await readProcessor(stored.id, stored.purpose)).has_work_under_way)
    throw financesErrors.processor_other_account();
  return {
    secret_key_encrypted: encryptSecret(stored.id, 'secret_key_encrypted', serializeCredentials(credentials)),
    gateway_account_id: account.accountId,
    gateway_livemode: account.livemode,
  };
}

function webhookSecretChange(
  { id, webhook_secret_encrypted }: OrgPaymentProcessor,
  secret: string,
): Change<OrgPaymentProcessor> {
  const previousSecret = decryptSecret(id, 'webhook_secret_encrypted', webhook_secret_encrypted);
  // Sending the same secret again neither removes the previous one nor extends its validity.
  if (previousSecret === secret) return {};
  return {
    webhook_secret_encrypted: encryptSecret(id, 'webhook_secret_encrypted', secret),
    previous_webhook_secret_encrypted: encryptSecret(id, 'previous_webhook_secret_encrypted', previousSecret),
    previous_webhook_secret_expires_at: computed("now() + interval '24 hours'"),
  };
}
