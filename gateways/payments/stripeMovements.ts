/** What moved in an account of Stripe's: its balance transactions, with what each is of. */
import type StripeSdk from 'stripe';
import type { Movement, MovementPage, PaymentPort } from './port.js';
import { asked } from './stripeAnswers.js';

/** As many as one answer holds. */
const PAGE = 100;

export function stripeMovements(stripe: StripeSdk): Pick<PaymentPort, 'listMovements'> {
  return {
    async listMovements({ from, to }, after): Promise<MovementPage> {
      const { data, has_more } = await asked(() =>
        stripe.balanceTransactions.list({
          created: { gte: secondsOf(from), lte: secondsOf(to) },
          limit: PAGE,
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
  // Expanded, but for what the key may not see.
  const of = typeof source === 'string' ? null : source;
  const isOfCharge = of?.object === 'charge' || of?.object === 'refund' || of?.object === 'dispute';
  return {
    movementId: id,
    kind: of?.object === 'dispute' ? 'disputed' : (KINDS[type] ?? 'other'),
    amountCents: amount,
    feeCents: fee,
    currency,
    at: new Date(created * 1000),
    intentId: isOfCharge ? idOf(of.payment_intent) : null,
    gatewayRefundId: of?.object === 'refund' ? of.id : null,
    reference: (isOfCharge && of.metadata) || {},
  };
}

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);
