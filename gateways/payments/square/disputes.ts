/** Disputes at Square: what each holds follows from its state, since Square tells no movements of it. */
import type { Square, SquareClient } from 'square';
import { type ChargeDispute, ChargeRefused, type PaymentPort } from '../port.js';
import { asked, centsOf } from './answers.js';
import { readMarks } from './marks.js';

const DECISIONS: Readonly<Record<string, ChargeDispute['decision']>> = {
  WON: 'won',
  INQUIRY_CLOSED: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
};
/** Nothing is held while the bank merely asks, nor once it has decided for the seller. */
const HOLDS_NOTHING = /^(INQUIRY_.*|WON)$/;

export function squareDisputes(
  square: SquareClient,
  locationId: string,
  paymentOf: (id: string) => Promise<Square.Payment | undefined>,
): Pick<PaymentPort, 'readDisputes'> {
  /** Square lists them by location alone. */
  const listed = async (paymentId: string): Promise<Square.Dispute[]> => {
    const found: Square.Dispute[] = [];
    for await (const dispute of await square.disputes.list({ locationId }))
      if (dispute.disputedPayment?.paymentId === paymentId) found.push(dispute);
    return found;
  };
  const named = async (paymentId: string, disputeId: string): Promise<Square.Dispute[]> => {
    const { dispute } = await square.disputes.get({ disputeId });
    if (dispute?.disputedPayment?.paymentId !== paymentId)
      throw new ChargeRefused('dispute_of_another', 'This dispute is of another payment.');
    return [dispute];
  };

  return {
    readDisputes: (paymentId, disputeId) =>
      asked(async () => {
        const found = disputeId === null ? await listed(paymentId) : await named(paymentId, disputeId);
        if (found.length === 0) return [];
        const reference = readMarks((await paymentOf(paymentId))?.note);
        return found.flatMap((dispute) => disputeOf(dispute, reference));
      }),
  };
}

/** Cents that it holds by now. */
export const heldIn = ({ state = 'PROCESSING', amountMoney }: Square.Dispute): number =>
  HOLDS_NOTHING.test(state) ? 0 : centsOf(amountMoney);

function disputeOf(dispute: Square.Dispute, reference: Record<string, string>): ChargeDispute[] {
  const { amountMoney: money, state = '', reason, createdAt, updatedAt, dueAt } = dispute;
  const gatewayDisputeId = dispute.id ?? dispute.disputeId;
  if (!gatewayDisputeId || centsOf(money) === 0) return [];
  const decision = DECISIONS[state] ?? 'none';
  const openedAt = new Date(createdAt ?? 0);
  return [
    {
      gatewayDisputeId,
      reference,
      amountCents: centsOf(money),
      currency: (money?.currency ?? 'USD').toLowerCase(),
      reason: reason?.toLowerCase() ?? 'unknown',
      decision,
      evidenceDueAt: dueAt && decision === 'none' ? new Date(dueAt) : null,
      openedAt,
      movements: [],
      held: {
        cents: heldIn(dispute),
        since: updatedAt ? new Date(updatedAt) : openedAt,
      },
    },
  ];
}
