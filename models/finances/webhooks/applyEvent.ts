import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { recordFailedPayment } from '../recordPayment.js';
import { refundCapture, RefundsChanged, type RefundsRead } from '../captures/refundCapture.js';
import { requestPageLook } from '../attempts/requestPageLook.js';
import { recordFailedAttempt } from '../attempts/recordFailedAttempt.js';
import { flagStrayCapture } from '../captures/flagStrayCapture.js';
import { recordGiftCharge } from '../captures/recordGiftCharge.js';
import { recordInvoiceCharge } from '../captures/recordInvoiceCharge.js';
import { type DisputesRead, recordDisputes, type ReportedDispute } from '../disputes/recordDisputes.js';
import { settleRemittance } from '../remittances/settleRemittance.js';
import { financesUpstream } from '../upstream.js';
import { CONFIRMABLE_EVENTS, DISPUTE_EVENTS, PAGE_APPROVED, REFUND_EVENTS, type StoredEvent } from './handledEvents.js';
import { type UnconfirmedRefund, findUnconfirmedRefund } from './refundToRead.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Parses an id in an event's metadata; null if it cannot be one. */
const parseId = (text: string | undefined): string | null => (text !== undefined && UUID.test(text) ? text : null);

type EventOutcome = 'applied' | 'ignored';

interface ChargeTarget {
  remittanceId: string | null;
  invoiceId: string | null;
  donationId: string | null;
}

/**
 * The provider's answer when it was asked to confirm an event. `read` is null if the account does not know the charge,
 * or if the provider was not asked about refunds.
 */
export interface ProviderAnswer {
  /** Number of deliveries of the event before the provider was asked. */
  deliveries: number;
  read: RefundsRead | null;
  disputes?: DisputesRead | null;
}

interface EventRow {
  processor_id: string;
  payload: StoredEvent;
  deliveries: number;
  outcome: EventOutcome | null;
}

/**
 * Applies a stored event once: the transaction that applies the event also marks it as processed.
 * @param answer what the provider reported; null: it was not asked yet
 * @returns what to ask the provider before the event can be applied; null: nothing, the event is done
 * @throws RefundsChanged when the provider must be asked again
 */
export async function applyEvent(
  webhookEventId: string,
  answer: ProviderAnswer | null,
): Promise<UnconfirmedRefund | null> {
  const event = await firstRow<EventRow>(
    'SELECT processor_id, payload, deliveries, outcome FROM webhook_events WHERE id = $1 AND organization_id = $2 FOR UPDATE',
    [webhookEventId, currentOrganization()],
  );
  if (!event || event.outcome) return null;
  if (answer && answer.deliveries !== event.deliveries)
    throw new RefundsChanged('Ask the provider about this refund again.');
  const unconfirmed =
    !answer && CONFIRMABLE_EVENTS.has(event.payload.type) ? await findUnconfirmedRefund(webhookEventId) : null;
  if (unconfirmed) return unconfirmed;
  const outcome = await executeEvent(event, answer);
  await closeEvent(webhookEventId, outcome);
  return null;
}

/** Marks an event as processed. */
export async function closeEvent(webhookEventId: string, outcome: EventOutcome): Promise<void> {
  await rows('UPDATE webhook_events SET outcome = $2, processed_at = now() WHERE id = $1', [webhookEventId, outcome]);
}

/**
 * Carries out an event.
 * @param answer what the provider reported; null: it was not asked
 */
export async function executeEvent(
  { processor_id: processorId, payload: event }: Pick<EventRow, 'processor_id' | 'payload'>,
  answer: ProviderAnswer | null,
): Promise<EventOutcome> {
  const { intentId, amountCents } = event;
  if (!intentId) return 'ignored';
  if (REFUND_EVENTS.has(event.type)) {
    // Ignore the event, because the provider's account does not know the charge.
    if (answer && !answer.read) return 'ignored';
    return applyRefund(processorId, intentId, answer?.read ?? amountCents, event.reference);
  }
  if (DISPUTE_EVENTS.has(event.type)) return applyDispute(processorId, intentId, answer);
  if (event.type === PAGE_APPROVED)
    return (await signalPage(parseId(event.reference['attempt_id']))) ? 'applied' : 'ignored';
  const target = await findTarget(processorId, intentId, event.reference);
  if (event.type === 'payment_intent.succeeded') {
    return amountCents > 0 ? applyCapture({ processorId, intentId, amountCents }, target, event) : 'ignored';
  }
  return applyFailure({ processorId, intentId, amountCents }, target, event.failureCode);
}

/**
 * Finds the remittance, invoice or gift that a charge pays: by our own attempt; if there is none, by the recorded
 * capture; if there is none, by the charge's metadata. Metadata count for a gift only if the gift has a payment attempt
 * through the same processor.
 */
async function findTarget(
  processorId: string,
  intentId: string,
  reference: Record<string, string>,
): Promise<ChargeTarget> {
  const attempt = await firstRow<ChargeTarget>(
    `SELECT remittance_id AS "remittanceId", invoice_id AS "invoiceId", donation_id AS "donationId" FROM (
       SELECT 1 AS rank, remittance_id, invoice_id, donation_id FROM payment_attempts WHERE processor_id = $1 AND intent_id = $2
       UNION ALL
       SELECT 2, remittance_id, invoice_id, donation_id FROM processor_captures WHERE processor_id = $1 AND intent_id = $2) known
      ORDER BY rank LIMIT 1`,
    [processorId, intentId],
  );
  if (attempt) return attempt;
  const named = await firstRow<ChargeTarget>(
    `SELECT (SELECT id FROM chapter_remittances WHERE organization_id = $3 AND id = $1) AS "remittanceId",
            (SELECT id FROM chapter_invoices WHERE organization_id = $3 AND id = $2) AS "invoiceId",
            (SELECT donation_id FROM payment_attempts
              WHERE organization_id = $3 AND donation_id = $4 AND processor_id = $5 LIMIT 1) AS "donationId"`,
    [
      parseId(reference['remittance_id']),
      parseId(reference['invoice_id']),
      currentOrganization(),
      parseId(reference['donation_id']),
      processorId,
    ],
  );
  return named ?? { remittanceId: null, invoiceId: null, donationId: null };
}

interface Charge {
  processorId: string;
  intentId: string;
  amountCents: number;
}

async function applyCapture(
  charge: Charge,
  target: ChargeTarget,
  { reference, currency, capturedAt }: StoredEvent,
): Promise<EventOutcome> {
  const { remittanceId, invoiceId, donationId } = target;
  const attemptId = parseId(reference['attempt_id']);
  if (!isOurs(target, reference)) return 'ignored';
  if (!(await isTargetIn(target, currency))) await flagStrayCapture({ ...charge, currency });
  // If the amount differs from the remittance's total, `settleRemittance` flags the remittance instead of paying the
  // invoices. This includes amounts above the maximum charge.
  else if (remittanceId) await settleRemittance({ ...charge, remittanceId });
  else if (invoiceId) await recordInvoiceCharge({ ...charge, invoiceId, currency, attemptId });
  else if (donationId) {
    const at = capturedAt ? new Date(capturedAt) : null;
    await recordGiftCharge({ ...charge, donationId, currency, attemptId, capturedAt: at });
  }
  await signalPage(attemptId);
  return 'applied';
}

/**
 * Reports whether a charge belongs to this platform, because the provider account may take other payments as well. A
 * charge whose metadata names a remittance or an invoice counts even if the row does not exist.
 */
const isOurs = ({ remittanceId, invoiceId, donationId }: ChargeTarget, reference: StoredEvent['reference']): boolean =>
  (remittanceId ??
    invoiceId ??
    donationId ??
    reference['remittance_id'] ??
    reference['invoice_id'] ??
    reference['donation_id']) !== undefined;

/**
 * Signals the workflow of a hosted page to check at once whether the page has ended or was approved. @returns whether
 * there is a page
 */
async function signalPage(attemptId: string | null): Promise<boolean> {
  const page = await firstRow<{ id: string; isForDonation: boolean }>(
    `SELECT id, donation_id IS NOT NULL AS "isForDonation" FROM payment_attempts WHERE id = $1 AND has_page`,
    [attemptId],
  );
  if (page) await requestPageLook(page);
  return page !== null;
}

/**
 * Reports whether the remittance or invoice exists and has this currency; money of another currency pays nothing. For a
 * gift the result is always true: `recordGiftCharge` checks the currency, because a charge with the wrong currency is
 * flagged as a charge of that gift.
 */
async function isTargetIn(
  { remittanceId, invoiceId, donationId }: ChargeTarget,
  currency: string | null,
): Promise<boolean> {
  if (donationId) return true;
  const row = await firstRow<{ currency: string }>(
    `SELECT currency FROM chapter_remittances WHERE organization_id = $3 AND id = $1
     UNION ALL SELECT currency FROM chapter_invoices WHERE organization_id = $3 AND id = $2`,
    [remittanceId, remittanceId ? null : invoiceId, currentOrganization()],
  );
  return row !== null && (currency === null || row.currency === currency);
}

async function applyFailure(
  { processorId, intentId, amountCents }: Charge,
  target: ChargeTarget,
  failureCode: string | null,
): Promise<EventOutcome> {
  if (amountCents === 0) return 'ignored';
  if (target.remittanceId) {
    const charge = { remittanceId: target.remittanceId, processorId, intentId, amountCents };
    return (await recordFailedAttempt({ ...charge, failureCode })) ? 'applied' : 'ignored';
  }
  if (target.donationId) {
    await financesUpstream().donationDeclined({ donationId: target.donationId, failureCode });
    return 'applied';
  }
  if (!target.invoiceId) return 'ignored';
  const payment = { invoiceId: target.invoiceId, processorId, processorPaymentId: intentId, intentId, amountCents };
  await recordFailedPayment({ ...payment, failureCode });
  return 'applied';
}

/**
 * Applies a refund event. If the payment of the refund is not recorded yet, it throws `RefundBeforePayment`, and the
 * workflow retries until the payment is recorded.
 */
async function applyRefund(
  processorId: string,
  intentId: string,
  reported: number | RefundsRead,
  reference: StoredEvent['reference'],
): Promise<EventOutcome> {
  if ((await refundCapture(processorId, intentId, reported)).state === 'noted') return 'applied';
  // The charge of a hosted page is created only when the payer pays, so there may be no row with its id yet. The
  // charge's metadata shows whether it belongs to this platform.
  if (!isOurs(await findTarget(processorId, intentId, reference), reference)) return 'ignored';
  throw new RefundBeforePayment('The payment of this refund is not recorded yet.');
}

/**
 * Applies a dispute event. Like a refund event, it is retried until the payment is recorded. A provider's dispute
 * object lacks our metadata, so the metadata of the charge is read along with the dispute.
 */
async function applyDispute(
  processorId: string,
  intentId: string,
  answer: ProviderAnswer | null,
): Promise<EventOutcome> {
  const reported = answer?.disputes;
  if (!reported || reported.disputes.length === 0) return 'ignored';
  if (await recordDisputes(processorId, intentId, reported, answer.read)) return 'applied';
  const { reference } = reported.disputes[0] as ReportedDispute;
  if (!isOurs(await findTarget(processorId, intentId, reference), reference)) return 'ignored';
  throw new RefundBeforePayment('The payment of this dispute is not recorded yet.');
}

/**
 * Thrown when the payment of a refund or dispute is not recorded yet. The workflow retries until the event of the
 * payment has been applied, or asks the provider about the payment.
 */
export class RefundBeforePayment extends Error {
  override readonly name = 'RefundBeforePayment';
}
