/** What an account says it captured, by what its provider lists of its movements: the other side of the books, for the ledger check. Reads only. */
import {
  CredentialsRefused,
  isRefusal,
  type Movement,
  type MovementPage,
  OutcomeUnknown,
  type PaymentPort,
  type Period,
} from './port.js';
import type { CapturedCharge, GatewayLedger } from './stripeLedger.js';

/** @param until the provider's list is whole */
export function portLedger(port: PaymentPort, until: Date): GatewayLedger {
  const refundedAt = new Map<string, Date>();
  return {
    async *capturedSince(since) {
      const charges = new Map<string, CapturedCharge>();
      if (since < until)
        for await (const movement of everyMovement(port, { from: since, to: until })) {
          const { intentId, kind, at } = movement;
          if (intentId && kind === 'captured')
            charges.set(intentId, charged(charges.get(intentId), movement, intentId));
          const last = intentId && refundedAt.get(intentId);
          if (intentId && kind.startsWith('refund') && !(last && last > at)) refundedAt.set(intentId, at);
        }
      for (const charge of charges.values()) yield { ...charge, hasRefunds: refundedAt.has(charge.intentId) };
    },
    async capturedCents(intentId) {
      try {
        const state = await port.readCharge(intentId);
        return state.status === 'captured' ? state.capturedCents : 0;
      } catch (error) {
        if (isRefusal(error)) return 0;
        throw error;
      }
    },
    async refunded(intentId) {
      const gone = (await port.readRefunds(intentId)).filter(({ status }) => status !== 'failed');
      const cents = gone.reduce((sum, { amountCents }) => sum + amountCents, 0);
      return { cents, lastAt: refundedAt.get(intentId) ?? null };
    },
  };
}

/** What moved in that time, page after page. */
export async function* everyMovement(port: PaymentPort, period: Period): AsyncGenerator<Movement> {
  let after: string | null = null;
  do {
    const page: MovementPage = await port.listMovements(period, after);
    yield* page.movements;
    after = page.next;
  } while (after !== null);
}

const charged = (before: CapturedCharge | undefined, movement: Movement, intentId: string): CapturedCharge => ({
  intentId,
  capturedCents: (before?.capturedCents ?? 0) + movement.amountCents,
  hasRefunds: false,
  reference: movement.reference,
  createdAt: before?.createdAt ?? movement.at,
});

/** Why an account could not be asked, without what the provider says of its key; null: for another reason. */
export function whyPortNotAsked(error: unknown): string | null {
  if (error instanceof CredentialsRefused) return 'the provider does not take its key';
  return error instanceof OutcomeUnknown ? 'the provider does not answer' : null;
}
