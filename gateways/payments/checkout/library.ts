/**
 * Creates the `checkout-sdk-node` client of one account. The client does not retry requests. It uses axios, because the
 * SDK supports a timeout only with axios.
 */
import { Checkout } from 'checkout-sdk-node';
import { config } from '../../../config.js';
import { ChargeRefused, type ChargeReference, type Credentials } from '../port.js';
import { accountOf } from './account.js';

export interface Library {
  payments: Checkout['payments'];
  links: Checkout['paymentLinks'];
  disputes: Checkout['disputes'];
  instruments: Checkout['instruments'];
  channelId: string;
}

/**
 * Returns the client.
 * @throws CredentialsRefused with the name of the invalid field
 */
export function checkoutLibrary(credentials: Credentials): Library {
  const { secretKey, channelId, subdomain, host } = accountOf(credentials);
  const timeout = config.STRIPE_TIMEOUT_SECONDS * 1000;
  const { payments, paymentLinks, disputes, instruments } = new Checkout(secretKey, {
    host,
    subdomain,
    timeout,
    httpClient: 'axios',
  });
  return { payments, links: paymentLinks, disputes, instruments, channelId };
}

/** Returns the attempt id of a charge; payments are later searched by this id. */
export function attemptOf(reference: ChargeReference): string {
  const id = reference['attempt_id'];
  if (!id || !/^[\w-]{1,50}$/.test(id)) throw new ChargeRefused('invalid_request', 'The charge has no attempt.');
  return id;
}

/** Checks a payment id, because it becomes a part of a URL. */
export function requirePaymentId(intentId: string): string {
  if (!/^pay_[a-z2-7]{26}$/.test(intentId))
    throw new ChargeRefused('resource_missing', 'This is not the id of a payment.');
  return intentId;
}
