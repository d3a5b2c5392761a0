/** Reads an organization's processor accounts without their secrets, which stay encrypted. */
import { decrypt, decryptIfPossible, encrypt } from '../../database/encryption.js';
import { shownSql, type ShownRow } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { parseCredentials } from '../attempts/processorAccess.js';
import { OrgPaymentProcessor, type Purpose } from './OrgPaymentProcessor.js';
import { type Capability, providerFacts } from './providers.js';

type SecretColumn = 'secret_key_encrypted' | 'webhook_secret_encrypted' | 'previous_webhook_secret_encrypted';

const additionalData = (rowId: string, column: SecretColumn) => ({ table: 'org_payment_processors', column, rowId });

export const encryptSecret = (rowId: string, column: SecretColumn, secret: string): string =>
  encrypt(secret, additionalData(rowId, column));
export const decryptSecret = (rowId: string, column: SecretColumn, encrypted: string): string =>
  decrypt(encrypted, additionalData(rowId, column));

/** The account that a key belongs to, according to the provider. */
export interface AccountIdentity {
  accountId: string;
  /** Whether the account moves real money. */
  livemode: boolean;
}

/** A processor as shown to people, with the last characters of its secrets to recognize them. */
export interface Processor extends ShownRow<typeof OrgPaymentProcessor> {
  secret_key_last4: string | null;
  webhook_secret_last4: string | null;
  capabilities: Capability[];
}

interface ProcessorRow extends ShownRow<typeof OrgPaymentProcessor> {
  secret_key_encrypted: string;
  webhook_secret_encrypted: string;
}

const COLUMNS = `${shownSql(OrgPaymentProcessor)}, org_payment_processors.secret_key_encrypted,
  org_payment_processors.webhook_secret_encrypted`;
const IN_TENANT = 'org_payment_processors.organization_id = (SELECT app.org_id())';

/** Lists the tenant's processors for dues, newest first. */
export async function listProcessors(page: PageRequest): Promise<Page<Processor>> {
  const { count, results } = await selectPage<ProcessorRow>({
    from: 'org_payment_processors org_payment_processors',
    where: `${IN_TENANT} AND org_payment_processors.purpose = 'dues'`,
    values: [],
    orderBy: 'org_payment_processors.created_at DESC',
    key: 'org_payment_processors.id',
    select: COLUMNS,
    ...page,
  });
  return { count, results: results.map(withoutSecrets) };
}

/**
 * Reads a processor without its secrets.
 * @throws Refusal not_found
 */
export const readProcessor = async (id: string, purpose: Purpose): Promise<Processor> =>
  withoutSecrets(
    requireFound(
      await firstJson<ProcessorRow>(
        `SELECT ${COLUMNS} FROM org_payment_processors WHERE ${IN_TENANT} AND id = $1 AND purpose = $2`,
        [id, purpose],
      ),
    ),
  );

function withoutSecrets({ secret_key_encrypted, webhook_secret_encrypted, ...processor }: ProcessorRow): Processor {
  return {
    ...processor,
    secret_key_last4: lastFour(processor.id, 'secret_key_encrypted', secret_key_encrypted),
    webhook_secret_last4: lastFour(processor.id, 'webhook_secret_encrypted', webhook_secret_encrypted),
    capabilities: providerFacts(processor.provider).capabilities,
  };
}

/** Returns the last four characters; null when the key ring no longer holds the encryption key. */
function lastFour(rowId: string, column: SecretColumn, encrypted: string): string | null {
  const decrypted = decryptIfPossible(encrypted, additionalData(rowId, column));
  const secret = decrypted && column === 'secret_key_encrypted' ? parseCredentials(decrypted).secret_key : decrypted;
  return secret?.slice(-4) ?? null;
}
