import { audit } from '../../database/audit.js';
import { type Change, computed, editRow, holdRow } from '../../database/model/change.js';
import { found, refuse } from '../../errors.js';
import { type Credentials, readCredentials, writeCredentials } from '../attempts/processorAccess.js';
import { financesErrors } from '../errors.js';
import { type AccountProof, accountProofs } from './accountProofs.js';
import { OrgPaymentProcessor, type Provider } from './OrgPaymentProcessor.js';
import { type AccountIdentity, type Processor, readProcessor, seal, unseal } from './processor.js';
import { factsOf } from './providers.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';
import { claimWebhookSecret } from './webhookSecrets.js';

/** Whose account a new key opens. */
export interface NewAccount extends AccountIdentity {
  /** Whether it is known to be the account of the key before. */
  proven: boolean;
}

export interface NewSecrets {
  /** All of them, those that stay too. */
  credentials?: Credentials | undefined;
  webhook_secret?: string | undefined;
  retire_now?: boolean | undefined;
  version?: number | undefined;
}

/** What a new key is compared with. */
export interface KeyBefore {
  provider: Provider;
  credentials: Credentials;
  /** null: connected before accounts were asked for. */
  account: AccountIdentity | null;
  /** What the account must know: the proof where the key of before opens nothing any more, or nobody says whose a key is. */
  proofs: AccountProof[];
}

/** @throws Refusal not_found, stale_version */
export async function readKeyBefore(id: string, { version }: NewSecrets): Promise<KeyBefore> {
  const stored = await rotatable(id, version);
  const account = accountOf(stored);
  return {
    provider: stored.provider,
    credentials: readCredentials(unseal(id, 'secret_key_encrypted', stored.secret_key_encrypted)),
    account,
    proofs: account && factsOf(stored.provider).namesAccount ? [] : await accountProofs(id),
  };
}

/**
 * Replaces secrets. The webhook secret before this one stays valid for a day, for events that are signed with it
 * already, or ends at once with `retire_now`; the one before that is dead in any case. A disabled processor stays disabled:
 * whoever has its secrets is rid of them all the same.
 * @param account that the new key opens, as the provider says
 * @throws Refusal not_found, stale_version, processor_other_account, webhook_secret_in_use
 */
export async function rotateProcessor(
  id: string,
  { credentials, webhook_secret, retire_now = false, version }: NewSecrets,
  account?: NewAccount,
): Promise<Processor> {
  const stored = await rotatable(id, version);
  if (webhook_secret !== undefined) await claimWebhookSecret(webhook_secret);
  await editRow(stored, {
    ...(credentials !== undefined && (await newKey(stored, credentials, account))),
    ...(webhook_secret !== undefined && newWebhookSecret(stored, webhook_secret)),
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
  await tellOtherAdmins('payment_processor_rotated', stored.label);
  return readProcessor(id);
}

/** The row, held. */
async function rotatable(id: string, version: number | undefined): Promise<OrgPaymentProcessor> {
  const stored = found(await holdRow(OrgPaymentProcessor, id));
  if (version !== undefined && version !== stored.version) throw refuse.stale_version();
  return stored;
}

const accountOf = (stored: OrgPaymentProcessor): AccountIdentity | null =>
  stored.gateway_account_id === null || stored.gateway_livemode === null
    ? null
    : { accountId: stored.gateway_account_id, livemode: stored.gateway_livemode };

async function newKey(
  stored: OrgPaymentProcessor,
  credentials: Credentials,
  account: NewAccount | undefined,
): Promise<Change<OrgPaymentProcessor>> {
  if (!account) throw new Error('Nobody asked whose account the new key opens.');
  const before = accountOf(stored) ?? account;
  if (before.accountId !== account.accountId || before.livemode !== account.livemode)
    throw financesErrors.processor_other_account();
  // What was begun with the key before could never be asked about with a key of another account.
  if (!account.proven && (await readProcessor(stored.id)).has_work_under_way)
    throw financesErrors.processor_other_account();
  return {
    secret_key_encrypted: seal(stored.id, 'secret_key_encrypted', writeCredentials(credentials)),
    gateway_account_id: account.accountId,
    gateway_livemode: account.livemode,
  };
}

function newWebhookSecret(
  { id, webhook_secret_encrypted }: OrgPaymentProcessor,
  secret: string,
): Change<OrgPaymentProcessor> {
  const before = unseal(id, 'webhook_secret_encrypted', webhook_secret_encrypted);
  // Sending the same secret again neither loses the one before it nor keeps it for longer.
  if (before === secret) return {};
  return {
    webhook_secret_encrypted: seal(id, 'webhook_secret_encrypted', secret),
    previous_webhook_secret_encrypted: seal(id, 'previous_webhook_secret_encrypted', before),
    previous_webhook_secret_expires_at: computed("now() + interval '24 hours'"),
  };
}
