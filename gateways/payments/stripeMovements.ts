/** Movements in an account of Stripe: its balance transactions, each with its source. */
import type StripeSdk from 'stripe';
import type { Movement, MovementPage, PaymentPort } from './port.js';
import { callProvider } from './stripeAnswers.js';

const PAGE_SIZE = 100;

export function stripeMovements(stripe: StripeSdk): Pick<PaymentPort, 'listMovements'> {
  return {
    async listMovements({ from, to }, after): Promise<MovementPage> {
      const { data, has_more } = await callProvider(() =>
        stripe.balanceTransactions.list({
          created: { gte: secondsOf(from), lte: secondsOf(to) },
          limit: PAGE_SIZE,
          expand: ['data.source'],
          ...(after !== null && { starting_after: after }),
        }),
      );
      return { movements: data.map(movementOf), next: has_more ? (data.at(-1)?.id ?? null) : null };
    },
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);

const KINDS: Readonly<Record<string, Movement['kind']>> = {
  charge: 'captured',
  payment: 'captured',
  refund: 'refunded',
  payment_refund: 'refunded',
  refund_failure: 'refund_failed',
  payment_failure_refund: 'refund_failed',
  payout: 'payout',
  payout_failure: 'payout',
  payout_cancel: 'payout',
};

function movementOf(transaction: StripeSdk.BalanceTransaction): Movement {
  const { id, type, amount, fee, currency, created, source } = transaction;
  // Stripe returns `source` as an object, or as a mere id if the key may not read the object.
  const sourceObject = typeof source === 'string' ? null : source;
  const isOfCharge =
    sourceObject?.object === 'charge' || sourceObject?.object === 'refund' || sourceObject?.object === 'dispute';
  return {
    movementId: id,
    kind: sourceObject?.object === 'dispute' ? 'disputed' : (KINDS[type] ?? 'other'),
    amountCents: amount,
    feeCents: fee,
    currency,
    at: new Date(created * 1000),
    intentId: isOfCharge ? idOf(sourceObject.payment_intent) : null,
    gatewayRefundId: sourceObject?.object === 'refund' ? sourceObject.id : null,
    reference: (isOfCharge && sourceObject.metadata) || {},
  };
}

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);
