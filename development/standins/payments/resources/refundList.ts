import type Stripe from 'stripe';
import type { Call } from '../wire/call.js';

/** Returns the refunds of a charge, newest first. */
export function refundsOfCharge(call: Call, charge: string): Stripe.Refund[] {
  const rows = call.store.all('refund').filter((row) => row.account === call.account && row.value.charge === charge);
  return rows.map((row) => row.value).reverse();
}
