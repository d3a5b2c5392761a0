/**
 * Disputes at Checkout.com. The withheld amount follows from the status, because Checkout.com lists no movements of a
 * dispute.
 */
import { type ChargeDispute, ChargeRefused, type PaymentPort } from '../port.js';
import { callProvider, type Payment } from './answers.js';
import { requirePaymentId, type Library } from './library.js';

/** The page size of one response; a payment has one or two disputes. */
const PAGE_SIZE = 250;

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
  // `expired`: no evidence arrived in time. `accepted`: no evidence will be sent.
  expired: 'lost',
  accepted: 'lost',
};
/**
 * Reason of a dispute that an automatic refund resolved before it became a chargeback (rapid dispute resolution). No
 * other record shows this refund, so the dispute counts as lost.
 */
const REFUNDED_EARLY = 'rapid_dispute_resolution';

function decisionOf({ status, resolved_reason: reason }: Dispute): ChargeDispute['decision'] {
  // A dispute that was resolved for any other reason withholds no money, because the payment had been refunded before.
  if (status === 'resolved') return reason === REFUNDED_EARLY ? 'lost' : 'won';
  return DECISIONS[status] ?? 'none';
}

/** Returns the cents that the dispute withholds now. */
export const withheldCents = (dispute: Dispute): number => (decisionOf(dispute) === 'won' ? 0 : dispute.amount);

export async function readDispute({ disputes }: Library, id: string): Promise<Dispute> {
  if (!/^dsp_[a-z0-9]{1,60}$/.test(id)) throw new ChargeRefused('resource_missing', 'This is not the id of a dispute.');
  return callProvider<Dispute>(() => disputes.getDetails(id));
}

export function checkoutDisputes(library: Library): Pick<PaymentPort, 'readDisputes'> {
  const listDisputeIds = async (payment_id: string): Promise<string[]> => {
    const list = await callProvider<{ data?: { id: string }[] }>(() =>
      library.disputes.get({ payment_id, limit: PAGE_SIZE }),
    );
    return (list.data ?? []).map(({ id }) => id);
  };

  return {
    async readDisputes(intentId, disputeId) {
      const ids = disputeId === null ? await listDisputeIds(requirePaymentId(intentId)) : [disputeId];
      const disputeList = await Promise.all(ids.map((id) => readDispute(library, id)));
      if (disputeList.some(({ payment }) => payment?.id !== intentId))
        throw new ChargeRefused('dispute_of_another', 'The dispute belongs to another payment.');
      if (disputeList.length === 0) return [];
      const { metadata = {} } = await callProvider<Payment>(() => library.payments.get(requirePaymentId(intentId)));
      return disputeList.filter(({ amount }) => amount > 0).map((dispute) => disputeOf(dispute, metadata));
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
    held: { cents: withheldCents(dispute), since: last_update ? new Date(last_update) : openedAt },
  };
}
