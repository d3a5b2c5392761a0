/** Payouts of an account's balance to the organization's bank. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { newPayout } from '../resources/payouts.js';
import { readKey } from '../state/keys.js';
import type { Context, Emitted } from '../wire/call.js';
import { asBank } from './disputes.js';

export const PayoutOrder = z.strictObject({ account_key: z.string().min(1), amount_cents: z.int().positive() });

/** Pays out at once if the balance suffices. @throws ApiError */
export async function payOut(
  { context, dispatch }: { context: Context; dispatch: (emitted: Emitted[]) => void },
  { account_key, amount_cents }: z.infer<typeof PayoutOrder>,
): Promise<Stripe.Payout> {
  const call = asBank(context, readKey(context.store, account_key).opens);
  const done = context.store.transaction(() => newPayout(call, amount_cents));
  await context.store.flush();
  dispatch(call.emitted);
  return done;
}
