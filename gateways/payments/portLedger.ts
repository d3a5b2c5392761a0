/**
 * Reads what was captured in an account, for the check of our ledger. Uses the provider's list of movements, and
 * changes nothing.
 */
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

/**
 * Returns a reader of the account's captured charges.
 * @param until the time up to which the provider's list is complete
 */
export function portLedger(port: PaymentPort, until: Date): GatewayLedger {
  const refundedAt = new Map<string, Date>();
  return {
    async *capturedSince(since) {
      const charges = new Map<string, CapturedCharge>();
      if (since < until)
        for await (const movement of everyMovement(port, { from: since, to: until })) {
          const { intentId, kind, at } = movement;
          if (intentId && kind === 'captured')
            charges.set(intentId, addCapture(charges.get(intentId), movement, intentId));
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
      const refunds = (await port.readRefunds(intentId)).filter(({ status }) => status !== 'failed');
      const cents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
      return { cents, lastAt: refundedAt.get(intentId) ?? null };
    },
  };
}

/** Yields the movements of a period, page by page. */
export async function* everyMovement(port: PaymentPort, period: Period): AsyncGenerator<Movement> {
  let after: string | null = null;
  do {
    const page: MovementPage = await port.listMovements(period, after);
    yield* page.movements;
    after = page.next;
  } while (after !== null);
}

const addCapture = (before: CapturedCharge | undefined, movement: Movement, intentId: string): CapturedCharge => ({
  intentId,
  capturedCents: (before?.capturedCents ?? 0) + movement.amountCents,
  hasRefunds: false,
  reference: movement.reference,
  createdAt: before?.createdAt ?? movement.at,
});

/** Describes why an account could not be read, without the provider's text about its key; null for other errors. */
export function describePortFailure(error: unknown): string | null {
  if (error instanceof CredentialsRefused) return 'the provider refuses its key';
  return error instanceof OutcomeUnknown ? 'the provider does not answer' : null;
}
