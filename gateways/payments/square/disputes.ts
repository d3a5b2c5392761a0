/** Disputes at Square. The withheld amount follows from the state, because Square lists no movements of a dispute. */
import type { Square, SquareClient } from 'square';
import { type ChargeDispute, ChargeRefused, type PaymentPort } from '../port.js';
import { callProvider, centsOf } from './answers.js';
import { readMarks } from './marks.js';

const DECISIONS: Readonly<Record<string, ChargeDispute['decision']>> = {
  WON: 'won',
  INQUIRY_CLOSED: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
};
/** States in which nothing is withheld: an inquiry, or a decision for the seller. */
const WITHHOLDS_NOTHING = /^(INQUIRY_.*|WON)$/;

export function squareDisputes(
  square: SquareClient,
  locationId: string,
  paymentOf: (id: string) => Promise<Square.Payment | undefined>,
): Pick<PaymentPort, 'readDisputes'> {
  /** Square lists disputes only for a whole location. So the disputes of other payments are removed here. */
  const listOfPayment = async (paymentId: string): Promise<Square.Dispute[]> => {
    const disputes: Square.Dispute[] = [];
    for await (const dispute of await square.disputes.list({ locationId }))
      if (dispute.disputedPayment?.paymentId === paymentId) disputes.push(dispute);
    return disputes;
  };
  const readOne = async (paymentId: string, disputeId: string): Promise<Square.Dispute[]> => {
    const { dispute } = await square.disputes.get({ disputeId });
    if (dispute?.disputedPayment?.paymentId !== paymentId)
      throw new ChargeRefused('dispute_of_another', 'The dispute belongs to another payment.');
    return [dispute];
  };

  return {
    readDisputes: (paymentId, disputeId) =>
      callProvider(async () => {
        const disputeList = disputeId === null ? await listOfPayment(paymentId) : await readOne(paymentId, disputeId);
        if (disputeList.length === 0) return [];
        const reference = readMarks((await paymentOf(paymentId))?.note);
        return disputeList.flatMap((dispute) => disputeOf(dispute, reference));
      }),
  };
}

/** Returns the cents that the dispute withholds now. */
export const withheldCents = ({ state = 'PROCESSING', amountMoney }: Square.Dispute): number =>
  WITHHOLDS_NOTHING.test(state) ? 0 : centsOf(amountMoney);

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
        cents: withheldCents(dispute),
        since: updatedAt ? new Date(updatedAt) : openedAt,
      },
    },
  ];
}
