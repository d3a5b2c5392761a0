import { hostedPage } from '../../../workflows/contracts/index.js';
import { LOOK } from '../../../workflows/contracts/hostedPage.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { recordFailedPayment } from '../recordPayment.js';
import { refundCapture, RefundsChanged, type RefundsRead } from '../captures/refundCapture.js';
import { recordFailedAttempt } from '../attempts/recordFailedAttempt.js';
import { flagStrayCapture } from '../captures/flagStrayCapture.js';
import { recordInvoiceCharge } from '../captures/recordInvoiceCharge.js';
import { type DisputesRead, recordDisputes, type ToldDispute } from '../disputes/recordDisputes.js';
import { settleRemittance } from '../remittances/settleRemittance.js';
import { ASKED_EVENTS, DISPUTE_EVENTS, PAGE_APPROVED, REFUND_EVENTS, type StoredEvent } from './handledEvents.js';
import { type DoubtedRefund, refundToRead } from './refundToRead.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** What an outsider calls an id, if it can be one. */
const idOf = (text: string | undefined): string | null => (text !== undefined && UUID.test(text) ? text : null);

type Outcome = 'applied' | 'ignored';

interface Target {
  remittanceId: string | null;
  invoiceId: string | null;
}

/** What the provider says where an event is not believed; `read` is null where the account does not know the charge, or was not asked about refunds. */
export interface ProviderAnswer {
  /** Of the event, before the provider was asked. */
  deliveries: number;
  read: RefundsRead | null;
  disputes?: DisputesRead | null;
}

interface Waiting {
  processor_id: string;
  payload: StoredEvent;
  deliveries: number;
  outcome: Outcome | null;
}

/**
 * Applies a stored event once: it is marked in the transaction that applies it.
 * @param answer null where the provider was not asked
 * @returns what the provider has to be asked of first; null: nothing, the event is applied
 * @throws RefundsChanged when it has to be asked again
 */
export async function applyEvent(webhookEventId: string, answer: ProviderAnswer | null): Promise<DoubtedRefund | null> {
  const event = await firstRow<Waiting>(
    'SELECT processor_id, payload, deliveries, outcome FROM webhook_events WHERE id = $1 AND organization_id = $2 FOR UPDATE',
    [webhookEventId, currentOrganization()],
  );
  if (!event || event.outcome) return null;
  if (answer && answer.deliveries !== event.deliveries)
    throw new RefundsChanged('The provider has to be asked again about this refund.');
  const doubted = !answer && ASKED_EVENTS.has(event.payload.type) ? await refundToRead(webhookEventId) : null;
  if (doubted) return doubted;
  const outcome = await carryOut(event, answer);
  await closeEvent(webhookEventId, outcome);
  return null;
}

/** Marks an event as dealt with. */
export async function closeEvent(webhookEventId: string, outcome: Outcome): Promise<void> {
  await rows('UPDATE webhook_events SET outcome = $2, processed_at = now() WHERE id = $1', [webhookEventId, outcome]);
}

/** Makes true what an event says. @param answer of the provider, where it was asked */
export async function carryOut(
  { processor_id: processorId, payload: event }: Pick<Waiting, 'processor_id' | 'payload'>,
  answer: ProviderAnswer | null,
): Promise<Outcome> {
  const { intentId, amountCents } = event;
  if (!intentId) return 'ignored';
  if (REFUND_EVENTS.has(event.type)) {
    // The account that is said to have given it back does not know the charge.
    if (answer && !answer.read) return 'ignored';
    return refund(processorId, intentId, answer?.read ?? amountCents, event.reference);
  }
  if (DISPUTE_EVENTS.has(event.type)) return dispute(processorId, intentId, answer);
  if (event.type === PAGE_APPROVED)
    return (await tellPage(idOf(event.reference['attempt_id']))) ? 'applied' : 'ignored';
  const target = await targetOf(processorId, intentId, event.reference);
  if (event.type === 'payment_intent.succeeded') {
    return amountCents > 0 ? captured({ processorId, intentId, amountCents }, target, event) : 'ignored';
  }
  return failed({ processorId, intentId, amountCents }, target, event.failureCode);
}

/** The attempt that we made knows best, then what its money is on record for; else what the charge was marked with. */
async function targetOf(processorId: string, intentId: string, reference: Record<string, string>): Promise<Target> {
  const attempt = await firstRow<Target>(
    `SELECT remittance_id AS "remittanceId", invoice_id AS "invoiceId" FROM (
       SELECT 1 AS rank, remittance_id, invoice_id FROM payment_attempts WHERE processor_id = $1 AND intent_id = $2
       UNION ALL
       SELECT 2, remittance_id, invoice_id FROM processor_captures WHERE processor_id = $1 AND intent_id = $2) known
      ORDER BY rank LIMIT 1`,
    [processorId, intentId],
  );
  if (attempt) return attempt;
  const found = await firstRow<Target>(
    `SELECT (SELECT id FROM chapter_remittances WHERE organization_id = $3 AND id = $1) AS "remittanceId",
            (SELECT id FROM chapter_invoices WHERE organization_id = $3 AND id = $2) AS "invoiceId"`,
    [idOf(reference['remittance_id']), idOf(reference['invoice_id']), currentOrganization()],
  );
  return found ?? { remittanceId: null, invoiceId: null };
}

interface Charge {
  processorId: string;
  intentId: string;
  amountCents: number;
}

async function captured(charge: Charge, target: Target, { reference, currency }: StoredEvent): Promise<Outcome> {
  const { remittanceId, invoiceId } = target;
  if (!isOurs(target, reference)) return 'ignored';
  if (!(await isOwedIn(target, currency))) await flagStrayCapture({ ...charge, currency });
  // An amount that is not its own flags a remittance, however large it is.
  else if (remittanceId) await settleRemittance({ ...charge, remittanceId });
  else if (invoiceId) {
    await recordInvoiceCharge({ ...charge, invoiceId, currency, attemptId: idOf(reference['attempt_id']) });
  }
  await tellPage(idOf(reference['attempt_id']));
  return 'applied';
}

/** An account may take money for other business than ours; what claims to be ours is kept, and its refunds with it. */
const isOurs = ({ remittanceId, invoiceId }: Target, reference: StoredEvent['reference']): boolean =>
  (remittanceId ?? invoiceId ?? reference['remittance_id'] ?? reference['invoice_id']) !== undefined;

/** The process of a hosted page looks at once, and finds out that it is over, or takes what was approved. @returns whether there is one */
async function tellPage(attemptId: string | null): Promise<boolean> {
  const page = await firstRow('SELECT 1 FROM payment_attempts WHERE id = $1 AND invoice_id IS NOT NULL', [attemptId]);
  if (!attemptId || !page) return false;
  await enqueue(hostedPage, { attemptId }, { signal: LOOK });
  return true;
}

/** Whether the target is there; cents of another currency are other money, and nobody is credited with them. */
async function isOwedIn({ remittanceId, invoiceId }: Target, currency: string | null): Promise<boolean> {
  const owed = await firstRow<{ currency: string }>(
    `SELECT currency FROM chapter_remittances WHERE organization_id = $3 AND id = $1
     UNION ALL SELECT currency FROM chapter_invoices WHERE organization_id = $3 AND id = $2`,
    [remittanceId, remittanceId ? null : invoiceId, currentOrganization()],
  );
  return owed !== null && (currency === null || owed.currency === currency);
}

async function failed(
  { processorId, intentId, amountCents }: Charge,
  target: Target,
  failureCode: string | null,
): Promise<Outcome> {
  if (amountCents === 0) return 'ignored';
  if (target.remittanceId) {
    const charge = { remittanceId: target.remittanceId, processorId, intentId, amountCents };
    return (await recordFailedAttempt({ ...charge, failureCode })) ? 'applied' : 'ignored';
  }
  if (!target.invoiceId) return 'ignored';
  const payment = { invoiceId: target.invoiceId, processorId, processorPaymentId: intentId, intentId, amountCents };
  await recordFailedPayment({ ...payment, failureCode });
  return 'applied';
}

/** A refund event may overtake the event of its payment: then it waits, by failing, until the payment is known. */
async function refund(
  processorId: string,
  intentId: string,
  refunded: number | RefundsRead,
  reference: StoredEvent['reference'],
): Promise<Outcome> {
  if ((await refundCapture(processorId, intentId, refunded)).state === 'noted') return 'applied';
  // A hosted page opens its charge only when it is paid on: the charge's own marks say that it is ours.
  if (!isOurs(await targetOf(processorId, intentId, reference), reference)) return 'ignored';
  throw new RefundBeforePayment('The payment of this refund is not recorded yet.');
}

/** As a refund's, it waits for the payment. Its own object has no marks of ours: the provider has told those of the charge. */
async function dispute(processorId: string, intentId: string, answer: ProviderAnswer | null): Promise<Outcome> {
  const told = answer?.disputes;
  if (!told || told.disputes.length === 0) return 'ignored';
  if (await recordDisputes(processorId, intentId, told, answer.read)) return 'applied';
  const { reference } = told.disputes[0] as ToldDispute;
  if (!isOurs(await targetOf(processorId, intentId, reference), reference)) return 'ignored';
  throw new RefundBeforePayment('The payment of this dispute is not recorded yet.');
}

/** Retried by the process until the payment's own event has been applied, or the provider was asked about the payment. */
export class RefundBeforePayment extends Error {
  override readonly name = 'RefundBeforePayment';
}
