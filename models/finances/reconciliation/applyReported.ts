/**
 * Records facts about charges that a reconciliation has read from the provider and that no webhook event has reported.
 * They are recorded by the same function as webhook events.
 */
import { currentOrganization, firstRow } from '../../database/rows.js';
import { CAPTURE_VERSION_SQL } from '../captures/setRefundedTotal.js';
import type { RefundsRead } from '../captures/refundCapture.js';
import type { DisputesRead } from '../disputes/recordDisputes.js';
import { executeEvent } from '../webhooks/applyEvent.js';
import { IS_MARKED, inFlight, sameAccountProcessors } from './chargesToCompare.js';

/** A charge as the books have it before the provider is asked. Amounts in cents. */
export interface ComparedCharge {
  intentId: string;
  /**
   * The processor through which the charge was made. If it is unknown: the processor of the reconciliation run, which
   * has the same provider account.
   */
  processorId: string;
  /**
   * Version of the charge's capture, read before the provider is asked, to notice changes in the meantime; null if the
   * capture is not recorded.
   */
  version: string | null;
  /** Database time before the provider is asked. */
  askedAt: string;
  capturedCents: number;
  /** Refunded amount, without disputes. */
  refundedCents: number;
  /** Amount that disputes withhold. */
  heldCents: number;
  /** Sum of movements of kind `other` in the provider's list. */
  otherCents: number;
  /**
   * Time at which the charge was made, according to the provider's list. If the list lacks the charge: the time at
   * which it was recorded.
   */
  movedAt: Date;
  marks: Record<string, string>;
  isMarked: boolean;
  currency: string | null;
  /**
   * Whether a payment or refund of the charge is pending. The workflow of that payment or refund finds out the outcome.
   */
  isInFlight: boolean;
}

/**
 * Reads a charge from the books, before the provider is asked about it.
 * @param intentId the provider's id of the charge
 */
export const readCharge = (processorId: string, intentId: string): Promise<ComparedCharge | null> =>
  firstRow<ComparedCharge>(
    `WITH siblings AS MATERIALIZED (${sameAccountProcessors('$2')}),
     moved AS (
       SELECT min(m.moved_at) AS first_at, min(m.moved_at) FILTER (WHERE m.kind = 'captured') AS captured_at, min(m.currency) AS currency,
              coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'other'), 0)::bigint AS other, bool_or(${IS_MARKED}) AS is_marked,
              (array_agg(m.marks ORDER BY ${IS_MARKED} DESC, m.moved_at))[1] AS marks
         FROM gateway_movements m
        WHERE m.organization_id = $1 AND m.intent_id = $3 AND m.processor_id IN (SELECT id FROM siblings)),
     charge AS (
       SELECT c.*, ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c
        WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM siblings) AND c.intent_id = $3 ORDER BY c.id LIMIT 1)
     SELECT $3 AS "intentId", charge.version, clock_timestamp()::text AS "askedAt",
            coalesce(charge.processor_id, (SELECT id FROM siblings WHERE id::text = moved.marks->>'processor_id'), $2) AS "processorId",
            coalesce(charge.amount_cents, 0) AS "capturedCents", coalesce(charge.refunded_cents - charge.disputed_cents, 0) AS "refundedCents",
            coalesce(charge.withdrawn_cents, 0) AS "heldCents", moved.other AS "otherCents",
            coalesce(moved.captured_at, charge.created_at, moved.first_at, now()) AS "movedAt", coalesce(moved.marks, '{}') AS marks,
            coalesce(moved.is_marked, false) AS "isMarked", moved.currency, ${inFlight('$3')} AS "isInFlight"
       FROM moved LEFT JOIN charge ON true`,
    [currentOrganization(), processorId, intentId],
  );

/** Records a captured charge. @returns whether the charge belongs to one of our invoices or remittances */
export async function applyReportedCharge(charge: ComparedCharge, capturedCents: number): Promise<boolean> {
  return (await executeEvent(toEvent(charge, 'payment_intent.succeeded', capturedCents), null)) === 'applied';
}

/**
 * Records the refunds of a charge that is already in the books.
 * @throws RefundsChanged when the provider must be asked again, because the books have changed
 */
export async function applyReportedRefunds(charge: ComparedCharge, read: RefundsRead): Promise<void> {
  await executeEvent(toEvent(charge, 'charge.refund.updated', 0), { deliveries: 0, read });
}

/** Records the disputes of a recorded charge. */
export async function applyReportedDisputes(charge: ComparedCharge, disputes: DisputesRead): Promise<void> {
  await executeEvent(toEvent(charge, 'charge.dispute.updated', 0), { deliveries: 0, read: null, disputes });
}

const toEvent = (
  { processorId, intentId, marks, currency, movedAt }: ComparedCharge,
  type: string,
  amountCents: number,
) => ({
  processor_id: processorId,
  payload: {
    eventId: '',
    type,
    intentId,
    amountCents,
    currency,
    reference: marks,
    failureCode: null,
    capturedAt: movedAt.toISOString(),
  },
});
