/** A card processor's account of an organization, as people may see it: the secrets stay sealed. */
import { decrypt, encrypt } from '../../database/encryption.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { refuse } from '../../errors.js';

export const PROVIDERS = ['stripe', 'square', 'paypal', 'authorize_net'] as const;
export type Provider = (typeof PROVIDERS)[number];

type SecretColumn = 'secret_key_encrypted' | 'webhook_secret_encrypted' | 'previous_webhook_secret_encrypted';

const place = (rowId: string, column: SecretColumn) => ({ table: 'org_payment_processors', column, rowId });

export const seal = (rowId: string, column: SecretColumn, secret: string): string =>
  encrypt(secret, place(rowId, column));
export const unseal = (rowId: string, column: SecretColumn, sealed: string): string =>
  decrypt(sealed, place(rowId, column));

/** Whose account a key opens, as the provider says. */
export interface AccountIdentity {
  accountId: string;
  /** Whether real money moves there. */
  livemode: boolean;
}

/** SQL: whether something that processor `p` has begun needs its key still: a charge, a page, money or an event that waits. */
const UNDER_WAY_SQL = `(
  EXISTS (SELECT FROM payment_attempts a WHERE a.organization_id = p.organization_id AND a.processor_id = p.id AND a.status = 'pending')
  OR EXISTS (SELECT FROM payment_attempts a WHERE a.organization_id = p.organization_id AND a.processor_id = p.id
              AND a.status <> 'pending' AND a.checkout_keys > 0 AND a.checkout_closed_at IS NULL)
  OR EXISTS (SELECT FROM processor_captures c
              WHERE c.organization_id = p.organization_id AND c.processor_id = p.id AND c.disposition = 'flagged')
  OR EXISTS (SELECT FROM capture_resolutions r JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
              WHERE r.organization_id = p.organization_id AND c.processor_id = p.id AND r.status = 'pending')
  OR EXISTS (SELECT FROM webhook_events e WHERE e.organization_id = p.organization_id AND e.processor_id = p.id AND e.processed_at IS NULL))`;

export interface Processor {
  id: string;
  provider: Provider;
  label: string;
  account_reference: string | null;
  publishable_key: string | null;
  gateway_account_id: string | null;
  is_active: boolean;
  has_work_under_way: boolean;
  accepts_previous_webhook_secret: boolean;
  previous_webhook_secret_expires_at: string | null;
  secret_key_last4: string | null;
  webhook_secret_last4: string | null;
  disabled_at: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

interface Stored extends Omit<Processor, 'secret_key_last4' | 'webhook_secret_last4'> {
  secret_key_encrypted: string;
  webhook_secret_encrypted: string;
}

const COLUMNS = `p.id, p.provider, p.label, p.account_reference, p.publishable_key, p.gateway_account_id,
  p.disabled_at IS NULL AS is_active, ${UNDER_WAY_SQL} AS has_work_under_way,
  coalesce(p.previous_webhook_secret_expires_at > now(), false) AS accepts_previous_webhook_secret,
  CASE WHEN p.previous_webhook_secret_expires_at > now() THEN p.previous_webhook_secret_expires_at END
    AS previous_webhook_secret_expires_at,
  p.disabled_at, p.version, p.created_at, p.updated_at, p.secret_key_encrypted, p.webhook_secret_encrypted`;

/** The tenant's processors, the newest first. */
export async function listProcessors(page: PageRequest): Promise<Page<Processor>> {
  const { count, results } = await selectPage<Stored>({
    from: 'org_payment_processors p',
    where: 'p.organization_id = (SELECT app.org_id())',
    values: [],
    orderBy: 'p.created_at DESC',
    key: 'p.id',
    select: COLUMNS,
    ...page,
  });
  return { count, results: results.map(withoutSecrets) };
}

/** @throws Refusal not_found */
export async function readProcessor(id: string): Promise<Processor> {
  const row = await firstJson<Stored>(
    `SELECT ${COLUMNS} FROM org_payment_processors p
      WHERE p.organization_id = (SELECT app.org_id()) AND p.id = $1`,
    [id],
  );
  if (!row) throw refuse.not_found();
  return withoutSecrets(row);
}

function withoutSecrets({ secret_key_encrypted, webhook_secret_encrypted, ...processor }: Stored): Processor {
  return {
    ...processor,
    secret_key_last4: lastFour(processor.id, 'secret_key_encrypted', secret_key_encrypted),
    webhook_secret_last4: lastFour(processor.id, 'webhook_secret_encrypted', webhook_secret_encrypted),
  };
}

/** Enough to recognize a key by. Null when the ring no longer holds the key that it was sealed with. */
function lastFour(rowId: string, column: SecretColumn, sealed: string): string | null {
  try {
    return unseal(rowId, column, sealed).slice(-4);
  } catch {
    return null;
  }
}
