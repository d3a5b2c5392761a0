/** Cases of what waits for somebody: they open where it begins to wait, and close where it ends, in that transaction. */
import { createRow, editRow, lockIfThere, now } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { note } from './keepUnallocated.js';
import { WAITING_OF_CHARGE } from '../remittances/remittance.js';
import { type CaseKind, type Difference, MoneyCase } from './MoneyCase.js';

/** Which case it is: one of each is open at a time. */
export interface CaseKey {
  kind: Exclude<CaseKind, Difference | 'refund_unknown' | 'dispute_unallocated'>;
  /** Null where no provider has to do with it. */
  processorId: string | null;
  /** The provider's id of what it is about; without one, the row's. */
  gatewayObject: string;
}

interface Fact extends CaseKey {
  amountCents: number;
  /** The row that it is about. */
  of: { remittance_id: string } | { refund_id: string } | { settlement_id: string } | Record<string, never>;
}

/**
 * Opens the case of what waits, once, and keeps its amount. Whoever finds the fact holds its row. People are told of the fact
 * itself, by whoever finds it.
 */
export async function openCase({ kind, processorId, gatewayObject, amountCents, of }: Fact): Promise<void> {
  const open = await openOne({ kind, processorId, gatewayObject });
  if (!open) {
    const said = { kind, processor_id: processorId, gateway_object: gatewayObject, amount_cents: amountCents, ...of };
    return note(await createRow(MoneyCase, said), 'opened');
  }
  if (open.amount_cents === amountCents) return;
  await editRow(open, { amount_cents: amountCents });
  await note(open, 'changed');
}

/** Nothing waits any more: the case closes itself. */
async function closeCase(key: CaseKey): Promise<void> {
  const open = await openOne(key);
  if (open) await agree(open);
}

const openOne = ({ kind, processorId, gatewayObject }: CaseKey) =>
  lockIfThere(MoneyCase, { kind, processor_id: processorId, gateway_object: gatewayObject, status: 'open' });

export async function agree(open: MoneyCase): Promise<void> {
  await editRow(open, { status: 'closed', resolution: 'agreed', closed_at: now });
  await note(open, 'closed');
  await resolveNotifications('money_case', open.id);
}

/** Brings the case of a remittance's charge to what waits of it. The caller holds the charge. */
export async function keepFlagged(captureId: string): Promise<void> {
  const charge = await firstRow<{ processor_id: string; intent_id: string; remittance_id: string; cents: number }>(
    `SELECT c.processor_id, c.intent_id, c.remittance_id, CASE c.disposition WHEN 'flagged' THEN ${WAITING_OF_CHARGE} ELSE 0 END AS cents
       FROM processor_captures c WHERE c.id = $1 AND c.remittance_id IS NOT NULL`,
    [captureId],
  );
  if (!charge) return;
  const { processor_id: processorId, intent_id: gatewayObject, remittance_id, cents } = charge;
  const key = { kind: 'remittance_flagged', processorId, gatewayObject } as const;
  await (cents > 0 ? openCase({ ...key, amountCents: cents, of: { remittance_id } }) : closeCase(key));
}

/** A refund that came back was made again: of its payment, as much goes back. */
export async function closeBounced(paymentId: string, cents: number): Promise<void> {
  const bounced = await firstRow<{ processor_id: string; gateway_object: string }>(
    `SELECT k.processor_id, k.gateway_object FROM money_cases k
       JOIN refunds r ON r.organization_id = k.organization_id AND r.id = k.refund_id
      WHERE k.kind = 'refund_bounced' AND k.status = 'open' AND r.payment_record_id = $1 AND k.amount_cents <= $2 ORDER BY k.id LIMIT 1`,
    [paymentId, cents],
  );
  if (!bounced) return;
  await closeCase({
    kind: 'refund_bounced',
    processorId: bounced.processor_id,
    gatewayObject: bounced.gateway_object,
  });
}
