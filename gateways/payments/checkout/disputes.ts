/** Disputes at Checkout.com: what each holds follows from its status, since Checkout.com tells no movements of it. */
import { type ChargeDispute, ChargeRefused, type PaymentPort } from '../port.js';
import { asked, type Payment } from './answers.js';
import { knownPayment, type Library } from './library.js';

/** As many as one answer holds; a payment has one or two. */
const PAGE = 250;

export interface Dispute {
  id: string;
  category?: string;
  amount: number;
  currency: string;
  status: string;
  resolved_reason?: string;
  evidence_required_by?: string;
  received_on?: string;
  last_update?: string;
  payment?: { id?: string };
}

const DECISIONS: Readonly<Record<string, ChargeDispute['decision']>> = {
  won: 'won',
  arbitration_won: 'won',
  canceled: 'won',
  lost: 'lost',
  arbitration_lost: 'lost',
  // No evidence came in time, or none will.
  expired: 'lost',
  accepted: 'lost',
};
/** The money went back before the bank asked for it, by a refund of which nothing else tells. */
const GONE = 'rapid_dispute_resolution';

function decisionOf({ status, resolved_reason: reason }: Dispute): ChargeDispute['decision'] {
  // Resolved otherwise it was refunded before, and takes nothing more.
  if (status === 'resolved') return reason === GONE ? 'lost' : 'won';
  return DECISIONS[status] ?? 'none';
}

/** Cents that it holds by now. */
export const heldIn = (dispute: Dispute): number => (decisionOf(dispute) === 'won' ? 0 : dispute.amount);

export async function readDispute({ disputes }: Library, id: string): Promise<Dispute> {
  if (!/^dsp_[a-z0-9]{1,60}$/.test(id)) throw new ChargeRefused('resource_missing', 'This is no dispute of theirs.');
  return asked<Dispute>(() => disputes.getDetails(id));
}

export function checkoutDisputes(library: Library): Pick<PaymentPort, 'readDisputes'> {
  const listed = async (payment_id: string): Promise<string[]> => {
    const list = await asked<{ data?: { id: string }[] }>(() => library.disputes.get({ payment_id, limit: PAGE }));
    return (list.data ?? []).map(({ id }) => id);
  };

  return {
    async readDisputes(intentId, disputeId) {
      const ids = disputeId === null ? await listed(knownPayment(intentId)) : [disputeId];
      const found = await Promise.all(ids.map((id) => readDispute(library, id)));
      if (found.some(({ payment }) => payment?.id !== intentId))
        throw new ChargeRefused('dispute_of_another', 'This dispute is of another payment.');
      if (found.length === 0) return [];
      const { metadata = {} } = await asked<Payment>(() => library.payments.get(knownPayment(intentId)));
      return found.filter(({ amount }) => amount > 0).map((dispute) => disputeOf(dispute, metadata));
    },
  };
}

function disputeOf(dispute: Dispute, reference: Record<string, string>): ChargeDispute {
  const { id, amount, currency, category, evidence_required_by: due, received_on, last_update } = dispute;
  const decision = decisionOf(dispute);
  const openedAt = new Date(received_on ?? 0);
  return {
    gatewayDisputeId: id,
    reference,
    amountCents: amount,
    currency: currency.toLowerCase(),
    reason: category ?? 'unknown',
    decision,
    evidenceDueAt: due && decision === 'none' ? new Date(due) : null,
    openedAt,
    movements: [],
    held: { cents: heldIn(dispute), since: last_update ? new Date(last_update) : openedAt },
  };
}
