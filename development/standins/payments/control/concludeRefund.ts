/** Sets the outcome of a refund, which a bank may report days later. */
import type Stripe from 'stripe';
import { noteMovement, putBalanceTransaction, putCharge } from '../resources/chargeRow.js';
import { emit } from '../resources/emit.js';
import { subjectOf } from '../resources/intentRow.js';
import { idOf, requireRow } from '../resources/rows.js';
import type { Call, Context, Emitted } from '../wire/call.js';
import { invalidRequest, refusedByState } from '../wire/errors.js';
import { asBank } from './disputes.js';

/**
 * Marks a refund as succeeded or failed. A failed refund's money returns to the account. A refund can fail even after
 * it succeeded.
 * @throws ApiError
 */
export async function concludeRefund(
  { context, dispatch }: { context: Context; dispatch: (emitted: Emitted[]) => void },
  id: string,
  status: 'succeeded' | 'failed',
): Promise<Stripe.Refund> {
  const row = context.store.get('refund', id);
  if (!row) throw invalidRequest(`No such refund: ${id}`);
  const call = asBank(context, row.account);
  const concluded = context.store.transaction(() => conclude(call, row.value, status));
  await context.store.flush();
  dispatch(call.emitted);
  return concluded;
}

function conclude(call: Call, refund: Stripe.Refund, status: 'succeeded' | 'failed'): Stripe.Refund {
  const charge = requireRow(call, 'charge', idOf(refund.charge) ?? '', 'charge').value;
  const intent = requireRow(call, 'payment_intent', idOf(refund.payment_intent) ?? '', 'payment_intent').value;
  if (refund.status === status || refund.status === 'failed') throw refusedByState(`This refund is ${refund.status}.`);
  const failed = status === 'failed';
  const returned = () => putBalanceTransaction(call, 'refund_failure', refund.id, refund.amount, refund.currency);
  const concluded: Stripe.Refund = {
    ...refund,
    status,
    ...(failed && { failure_reason: 'expired_or_canceled_card', failure_balance_transaction: returned() }),
  };
  call.store.put('refund', refund.id, { account: call.account, value: concluded });
  if (failed) {
    putCharge(call, { ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
    noteMovement(call, 'refund', intent, charge.id, -refund.amount);
    emit(call, 'refund.failed', concluded, subjectOf(intent));
  }
  emit(call, 'refund.updated', concluded, subjectOf(intent));
  emit(call, 'charge.refund.updated', concluded, subjectOf(intent));
  return concluded;
}
