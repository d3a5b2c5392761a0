/** A card processor's account of an organization, as people may see it: the secrets stay sealed. */
import { decrypt, decryptIfPossible, encrypt } from '../../database/encryption.js';
import { shownSql, type ShownRow } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstJson } from '../../database/rows.js';
import { found } from '../../errors.js';
import { readCredentials } from '../attempts/processorAccess.js';
import { OrgPaymentProcessor } from './OrgPaymentProcessor.js';
import { type Capability, factsOf } from './providers.js';

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

/** What is shown of it, with enough of its secrets to recognize them by. */
export interface Processor extends ShownRow<typeof OrgPaymentProcessor> {
  secret_key_last4: string | null;
  webhook_secret_last4: string | null;
  capabilities: Capability[];
}

interface Stored extends ShownRow<typeof OrgPaymentProcessor> {
  secret_key_encrypted: string;
  webhook_secret_encrypted: string;
}

const COLUMNS = `${shownSql(OrgPaymentProcessor)}, org_payment_processors.secret_key_encrypted,
  org_payment_processors.webhook_secret_encrypted`;
const IN_TENANT = 'org_payment_processors.organization_id = (SELECT app.org_id())';

/** The tenant's processors, the newest first. */
export async function listProcessors(page: PageRequest): Promise<Page<Processor>> {
  const { count, results } = await selectPage<Stored>({
    from: 'org_payment_processors org_payment_processors',
    where: IN_TENANT,
    values: [],
    orderBy: 'org_payment_processors.created_at DESC',
    key: 'org_payment_processors.id',
    select: COLUMNS,
    ...page,
  });
  return { count, results: results.map(withoutSecrets) };
}

/** @throws Refusal not_found */
export const readProcessor = async (id: string): Promise<Processor> =>
  withoutSecrets(
    found(
      await firstJson<Stored>(`SELECT ${COLUMNS} FROM org_payment_processors WHERE ${IN_TENANT} AND id = $1`, [id]),
    ),
  );

function withoutSecrets({ secret_key_encrypted, webhook_secret_encrypted, ...processor }: Stored): Processor {
  return {
    ...processor,
    secret_key_last4: lastFour(processor.id, 'secret_key_encrypted', secret_key_encrypted),
    webhook_secret_last4: lastFour(processor.id, 'webhook_secret_encrypted', webhook_secret_encrypted),
    capabilities: factsOf(processor.provider).capabilities,
  };
}

/** Null when the ring no longer holds the key that it was sealed with. */
function lastFour(rowId: string, column: SecretColumn, sealed: string): string | null {
  const opened = decryptIfPossible(sealed, place(rowId, column));
  const secret = opened && column === 'secret_key_encrypted' ? readCredentials(opened).secret_key : opened;
  return secret?.slice(-4) ?? null;
}
