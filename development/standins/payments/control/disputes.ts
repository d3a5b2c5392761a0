/** Disputes that a payer's bank opens and decides. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { decideDispute, openDispute } from '../resources/disputes.js';
import { newId } from '../state/identifiers.js';
import type { Call, Context, Emitted } from '../wire/call.js';
import { invalidRequest } from '../wire/errors.js';
import { Parameters } from '../wire/parameters.js';

export const DisputeOrder = z.union([
  z.strictObject({
    kind: z.literal('dispute_open'),
    payment_intent: z.string().min(1),
    amount_cents: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.enum(['dispute_won', 'dispute_lost']), dispute: z.string().min(1) }),
]);

/** Opens a dispute or decides one. @throws ApiError */
export async function dispute(
  { context, dispatch }: { context: Context; dispatch: (emitted: Emitted[]) => void },
  order: z.infer<typeof DisputeOrder>,
): Promise<Stripe.Dispute> {
  const { store } = context;
  const row =
    order.kind === 'dispute_open'
      ? store.get('payment_intent', order.payment_intent)
      : store.get('dispute', order.dispute);
  if (!row) throw invalidRequest('There is no such charge or dispute.');
  const call = asBank(context, row.account);
  const done = store.transaction(() =>
    order.kind === 'dispute_open'
      ? openDispute(call, order.payment_intent, order.amount_cents)
      : decideDispute(call, order.dispute, order.kind === 'dispute_won' ? 'won' : 'lost'),
  );
  await store.flush();
  dispatch(call.emitted);
  return done;
}

/** Returns a call that changes objects as the payer's bank does. Such changes do not come from an API request. */
export const asBank = (context: Context, account: string): Call => ({
  ...context,
  account,
  livemode: false,
  requestId: newId('req', 14),
  idempotencyKey: null,
  ids: [],
  params: new Parameters({}),
  captured: false,
  emitted: [],
});
