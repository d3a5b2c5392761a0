/** The `checkout-sdk-node` library of one account. It retries nothing by itself, and bounds its time over axios only. */
import { Checkout } from 'checkout-sdk-node';
import { config } from '../../../config.js';
import { ChargeRefused, type ChargeReference, type Credentials } from '../port.js';
import { accountOf } from './account.js';

export interface Library {
  payments: Checkout['payments'];
  links: Checkout['paymentLinks'];
  disputes: Checkout['disputes'];
  channelId: string;
}

/** @throws CredentialsRefused naming which of them cannot be one */
export function checkoutLibrary(credentials: Credentials): Library {
  const { secretKey, channelId, subdomain, host } = accountOf(credentials);
  const timeout = config.STRIPE_TIMEOUT_SECONDS * 1000;
  const { payments, paymentLinks, disputes } = new Checkout(secretKey, {
    host,
    subdomain,
    timeout,
    httpClient: 'axios',
  });
  return { payments, links: paymentLinks, disputes, channelId };
}

/** What payments are found by. */
export function attemptOf(reference: ChargeReference): string {
  const id = reference['attempt_id'];
  if (!id || !/^[\w-]{1,50}$/.test(id)) throw new ChargeRefused('invalid_request', 'The charge has no attempt.');
  return id;
}

/** It becomes a part of an address. */
export function knownPayment(intentId: string): string {
  if (!/^pay_[a-z2-7]{26}$/.test(intentId))
    throw new ChargeRefused('resource_missing', 'This is no payment of theirs.');
  return intentId;
}
