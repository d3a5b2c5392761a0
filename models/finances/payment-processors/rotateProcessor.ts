import { audit } from '../../database/audit.js';
import { firstRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { financesErrors } from '../errors.js';
import { type AccountProof, accountProofs } from './accountProofs.js';
import { type AccountIdentity, type Processor, type Provider, readProcessor, seal, unseal } from './processor.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';

interface Stored {
  id: string;
  provider: Provider;
  label: string;
  secret_key_encrypted: string;
  webhook_secret_encrypted: string;
  gateway_account_id: string | null;
  gateway_livemode: boolean | null;
  version: number;
}

/** Whose account a new key opens. */
export interface NewAccount extends AccountIdentity {
  /** Whether it is known to be the account of the key before. */
  proven: boolean;
}

export interface NewSecrets {
  secret_key?: string | undefined;
  webhook_secret?: string | undefined;
  retire_now?: boolean | undefined;
  version?: number | undefined;
}

/** What a new key is compared with. */
export interface KeyBefore {
  provider: Provider;
  secretKey: string;
  /** null: connected before accounts were asked for. */
  account: AccountIdentity | null;
  /** What the account must know: the proof where the key of before opens nothing any more. */
  proofs: AccountProof[];
}

/** @throws Refusal not_found, stale_version */
export async function readKeyBefore(id: string, { version }: NewSecrets): Promise<KeyBefore> {
  const stored = await rotatable(id, version);
  const account = accountOf(stored);
  return {
    provider: stored.provider,
    secretKey: unseal(id, 'secret_key_encrypted', stored.secret_key_encrypted),
    account,
    proofs: account ? [] : await accountProofs(id),
  };
}

/**
 * Replaces secrets. The webhook secret before this one stays valid for a day, for events that are signed with it
 * already, or ends at once with `retire_now`; the one before that is dead in any case. A disabled processor stays disabled:
 * whoever has its secrets is rid of them all the same.
 * @param account that the new key opens, as the provider says
 * @throws Refusal not_found, stale_version, processor_other_account
 */
export async function rotateProcessor(
  id: string,
  { secret_key, webhook_secret, retire_now = false, version }: NewSecrets,
  account?: NewAccount,
): Promise<Processor> {
  const stored = await rotatable(id, version);
  if (secret_key !== undefined) await replaceKey(stored, secret_key, account);
  if (webhook_secret !== undefined) await replaceWebhookSecret(stored, webhook_secret);
  if (retire_now) {
    await rows(
      `UPDATE org_payment_processors SET previous_webhook_secret_encrypted = NULL, previous_webhook_secret_expires_at = NULL
        WHERE id = $1`,
      [id],
    );
  }
  const rotated = Object.entries({ secret_key, webhook_secret }).flatMap(([name, sent]) => (sent ? [name] : []));
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
async function rotatable(id: string, version: number | undefined): Promise<Stored> {
  const stored = await firstRow<Stored>('SELECT * FROM org_payment_processors WHERE id = $1 FOR UPDATE', [id]);
  if (!stored) throw refuse.not_found();
  if (version !== undefined && version !== stored.version) throw refuse.stale_version();
  return stored;
}

const accountOf = ({ gateway_account_id: accountId, gateway_livemode: livemode }: Stored): AccountIdentity | null =>
  accountId === null || livemode === null ? null : { accountId, livemode };

async function replaceKey(stored: Stored, secretKey: string, account: NewAccount | undefined): Promise<void> {
  if (!account) throw new Error('Nobody asked whose account the new key opens.');
  const before = accountOf(stored) ?? account;
  if (before.accountId !== account.accountId || before.livemode !== account.livemode)
    throw financesErrors.processor_other_account();
  // What was begun with the key before could never be asked about with a key of another account.
  if (!account.proven && (await readProcessor(stored.id)).has_work_under_way)
    throw financesErrors.processor_other_account();
  await rows(
    `UPDATE org_payment_processors SET secret_key_encrypted = $2, gateway_account_id = $3, gateway_livemode = $4 WHERE id = $1`,
    [stored.id, seal(stored.id, 'secret_key_encrypted', secretKey), account.accountId, account.livemode],
  );
}

async function replaceWebhookSecret({ id, webhook_secret_encrypted }: Stored, secret: string): Promise<void> {
  const before = unseal(id, 'webhook_secret_encrypted', webhook_secret_encrypted);
  // Sending the same secret again neither loses the one before it nor keeps it for longer.
  if (before === secret) return;
  await rows(
    `UPDATE org_payment_processors SET webhook_secret_encrypted = $2, previous_webhook_secret_encrypted = $3,
            previous_webhook_secret_expires_at = now() + interval '24 hours' WHERE id = $1`,
    [id, seal(id, 'webhook_secret_encrypted', secret), seal(id, 'previous_webhook_secret_encrypted', before)],
  );
}
