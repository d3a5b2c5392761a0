/** Asks a provider which account a key belongs to. No transaction may be open during these calls. */
import {
  ChargeRefused,
  CredentialsRefused,
  type GatewayAccount,
  OutcomeUnknown,
  type PaymentPort,
} from '../../../gateways/payments/port.js';
import { adapterOf, paymentPort } from '../../../gateways/payments/processors.js';
import type { Credentials } from '../../../models/finances/attempts/processorAccess.js';
import { invalid, refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Provider } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import type { AccountProof } from '../../../models/finances/payment-processors/accountProofs.js';
import type { PreviousKey, NewAccount } from '../../../models/finances/payment-processors/rotateProcessor.js';

/**
 * Reads the account of a key. @throws Refusal validation_error naming secret_key or another of the credentials,
 * unavailable
 */
export const readKeyAccount = (provider: Provider, credentials: Credentials): Promise<GatewayAccount> =>
  withNewKey(() => adapterOf(provider).readAccount(credentials));

/**
 * Returns the account of a new key, which must be the account of the previous key. This is proven if both keys report
 * the same account id; an id that was never stored is read with the old key. If the old key is revoked, the new key
 * must be able to read a recorded charge or page. If nothing can serve as proof, any account is accepted, as long as no
 * payment is pending.
 * @throws Refusal processor_other_account, validation_error naming secret_key, unavailable
 */
export async function requireSameAccount(previous: PreviousKey, credentials: Credentials): Promise<NewAccount> {
  const account = await readKeyAccount(previous.provider, credentials);
  const previousAccount = previous.account ?? (await readOldKeyAccount(previous));
  const proven = previousAccount
    ? previousAccount.accountId === account.accountId && previousAccount.livemode === account.livemode
    : await knowsOneProof(previous, credentials);
  if (proven && !(await knowsItsCharges(previous, credentials))) throw financesErrors.processor_other_account();
  if (!proven && (previousAccount || previous.proofs.length > 0)) throw financesErrors.processor_other_account();
  return { ...account, proven };
}

async function readOldKeyAccount({ provider, credentials }: PreviousKey): Promise<GatewayAccount | null> {
  try {
    return await adapterOf(provider).readAccount(credentials);
  } catch (error) {
    if (error instanceof CredentialsRefused) return null;
    throw isUnavailable(error) ? unavailable() : error;
  }
}

/**
 * Used for a provider that does not name the account of a key: the new key must be able to read one of the recorded
 * charges.
 */
async function knowsItsCharges({ provider, proofs }: PreviousKey, credentials: Credentials): Promise<boolean> {
  const { knowsCharge } = adapterOf(provider);
  const charges = proofs.filter((proof) => proof.kind === 'charge');
  if (!knowsCharge || charges.length === 0) return true;
  for (const { id } of charges) if (await withNewKey(() => knowsCharge(credentials, id))) return true;
  return false;
}

/**
 * Checks whether the new key can read one of the recorded charges or pages. Only processors of the first supported
 * provider were ever connected without an account id, so no library of another provider is loaded here.
 */
async function knowsOneProof({ provider, proofs }: PreviousKey, credentials: Credentials): Promise<boolean> {
  const port = paymentPort({ provider, credentials });
  for (const proof of proofs) {
    try {
      if (await withNewKey(() => knows(port, proof))) return true;
    } catch (error) {
      // The account does not have this charge or page; try the next one.
      if (!(error instanceof ChargeRefused)) throw error;
    }
  }
  return false;
}

/**
 * Reports whether an account has a charge or a page.
 * @throws ChargeRefused when the account does not have it
 */
async function knows(port: PaymentPort, proof: AccountProof): Promise<boolean> {
  if (proof.kind === 'charge') await port.readCharge(proof.id);
  else if (proof.kind === 'page') await port.readHostedPayment(proof.id);
  else return (await port.findHostedPayments(proof.reference, proof)).length > 0;
  return true;
}

/**
 * Checks whether the provider accepts the credentials, and whether they belong to the same account as before. @throws
 * Refusal unavailable
 */
export async function verifyCredentials({ provider, credentials, account }: PreviousKey) {
  try {
    const { accountId, livemode } = await adapterOf(provider).readAccount(credentials);
    const same = !account || (account.accountId === accountId && account.livemode === livemode);
    const problem = same ? null : { field: 'secret_key', message: 'The key belongs to another account than before.' };
    return { valid: same, gateway_account_id: accountId, problem };
  } catch (error) {
    if (!(error instanceof CredentialsRefused)) throw isUnavailable(error) ? unavailable() : error;
    return { valid: false, gateway_account_id: null, problem: { field: fieldOf(error), message: messageOf(error) } };
  }
}

async function withNewKey<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CredentialsRefused) throw invalid(fieldOf(error), messageOf(error));
    throw isUnavailable(error) ? unavailable() : error;
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof OutcomeUnknown;
const unavailable = () =>
  refuse.unavailable('The payment provider does not answer. Nothing was changed.', undefined, { 'Retry-After': '30' });

const fieldOf = ({ field }: CredentialsRefused): string => (field === 'secret_key' ? field : `credentials.${field}`);
const messageOf = ({ field }: CredentialsRefused): string =>
  field === 'secret_key'
    ? 'The provider rejects this key, or the key may not read the account and its charges.'
    : 'The provider does not know this value, or not in this account.';
