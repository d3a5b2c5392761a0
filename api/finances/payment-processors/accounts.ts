/** Asking the provider whose account a key opens. No transaction may be open while it is asked. */
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
import type { KeyBefore, NewAccount } from '../../../models/finances/payment-processors/rotateProcessor.js';

/** @throws Refusal validation_error naming secret_key or another of the credentials, unavailable */
export const accountOfKey = (provider: Provider, credentials: Credentials): Promise<GatewayAccount> =>
  withNewKey(() => adapterOf(provider).readAccount(credentials));

/**
 * The new key's account, which is that of the key before: by its id or, where that was never kept, by the old key's own
 * word or, when that is revoked, because it knows a charge or a page that the old one opened. Where nothing can tell, it
 * is any account's, as long as nothing is under way.
 * @throws Refusal processor_other_account, validation_error naming secret_key, unavailable
 */
export async function sameAccount(before: KeyBefore, credentials: Credentials): Promise<NewAccount> {
  const account = await accountOfKey(before.provider, credentials);
  const known = before.account ?? (await accountOfOldKey(before));
  const proven = known
    ? known.accountId === account.accountId && known.livemode === account.livemode
    : await knowsOneOf(before, credentials);
  if (proven && !(await knowsItsCharges(before, credentials))) throw financesErrors.processor_other_account();
  if (!proven && (known || before.proofs.length > 0)) throw financesErrors.processor_other_account();
  return { ...account, proven };
}

async function accountOfOldKey({ provider, credentials }: KeyBefore): Promise<GatewayAccount | null> {
  try {
    return await adapterOf(provider).readAccount(credentials);
  } catch (error) {
    if (error instanceof CredentialsRefused) return null;
    throw isAway(error) ? away() : error;
  }
}

/** Asked where the provider does not say whose a key is: an account that has worked for us knows one of its charges. */
async function knowsItsCharges({ provider, proofs }: KeyBefore, credentials: Credentials): Promise<boolean> {
  const { knowsCharge } = adapterOf(provider);
  const charges = proofs.filter((proof) => proof.kind === 'charge');
  if (!knowsCharge || charges.length === 0) return true;
  for (const { id } of charges) if (await withNewKey(() => knowsCharge(credentials, id))) return true;
  return false;
}

/** Only processors of the first provider were ever connected without its account: no other's library is loaded for this. */
async function knowsOneOf({ provider, proofs }: KeyBefore, credentials: Credentials): Promise<boolean> {
  const port = paymentPort({ provider, credentials });
  for (const proof of proofs) {
    try {
      if (await withNewKey(() => knows(port, proof))) return true;
    } catch (error) {
      // There is no such thing in this account.
      if (!(error instanceof ChargeRefused)) throw error;
    }
  }
  return false;
}

/** @throws ChargeRefused when the account does not have it */
async function knows(port: PaymentPort, proof: AccountProof): Promise<boolean> {
  if (proof.kind === 'charge') await port.readCharge(proof.id);
  else if (proof.kind === 'page') await port.readHostedPayment(proof.id);
  else return (await port.findHostedPayments(proof.reference, proof)).length > 0;
  return true;
}

/** Whether the provider takes the credentials, and they open the account of before. @throws Refusal unavailable */
export async function verifyCredentials({ provider, credentials, account }: KeyBefore) {
  try {
    const { accountId, livemode } = await adapterOf(provider).readAccount(credentials);
    const same = !account || (account.accountId === accountId && account.livemode === livemode);
    const problem = same ? null : { field: 'secret_key', message: 'It opens another account than it did.' };
    return { valid: same, gateway_account_id: accountId, problem };
  } catch (error) {
    if (!(error instanceof CredentialsRefused)) throw isAway(error) ? away() : error;
    return { valid: false, gateway_account_id: null, problem: { field: fieldOf(error), message: messageOf(error) } };
  }
}

async function withNewKey<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CredentialsRefused) throw invalid(fieldOf(error), messageOf(error));
    throw isAway(error) ? away() : error;
  }
}

const isAway = (error: unknown): boolean => error instanceof OutcomeUnknown;
const away = () =>
  refuse.unavailable('The payment provider does not answer. Nothing was changed.', undefined, { 'Retry-After': '30' });

const fieldOf = ({ field }: CredentialsRefused): string => (field === 'secret_key' ? field : `credentials.${field}`);
const messageOf = ({ field }: CredentialsRefused): string =>
  field === 'secret_key'
    ? 'The provider does not take this key, or does not let it read its account and charges.'
    : 'The provider does not know this, or not in this account.';
