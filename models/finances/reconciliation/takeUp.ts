/** What no event has told, on record by the operation that the event would have called. */
import { currentOrganization, firstRow } from '../../database/rows.js';
import { CAPTURE_VERSION_SQL } from '../captures/bringTo.js';
import type { RefundsRead } from '../captures/refundCapture.js';
import type { DisputesRead } from '../disputes/recordDisputes.js';
import { carryOut } from '../webhooks/applyEvent.js';
import { IS_MARKED, inFlight, siblingsOf } from './chargesToCompare.js';

/** A charge as the books have it, before the provider is asked. Amounts in cents. */
export interface ComparedCharge {
  intentId: string;
  /** The processor that it was made with; of the same account, the run's where nobody knows. */
  processorId: string;
  /** Of its capture, as `RefundsRead` wants it; null: it is not on record. */
  version: string | null;
  /** By the database's clock. */
  askedAt: string;
  capturedCents: number;
  /** What went back, disputes left out. */
  refundedCents: number;
  /** What disputes hold. */
  heldCents: number;
  /** Something else moved on it, by what the provider lists. */
  otherCents: number;
  /** When the charge moved; of one that the provider does not list, when it was recorded. */
  movedAt: Date;
  marks: Record<string, string>;
  isMarked: boolean;
  currency: string | null;
  /** Its outcome is looked up by another process. */
  isInFlight: boolean;
}

/** @param intentId as the provider calls it */
export const readCharge = (processorId: string, intentId: string): Promise<ComparedCharge | null> =>
  firstRow<ComparedCharge>(
    `WITH siblings AS MATERIALIZED (${siblingsOf('$2')}),
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

/** Records what a charge took. @returns whether it is any business of ours */
export async function takeUpCharge(charge: ComparedCharge, capturedCents: number): Promise<boolean> {
  return (await carryOut(told(charge, 'payment_intent.succeeded', capturedCents), null)) === 'applied';
}

/** Records what went back of a charge on record. @throws RefundsChanged when the provider has to be asked again */
export async function takeUpRefunds(charge: ComparedCharge, read: RefundsRead): Promise<void> {
  await carryOut(told(charge, 'charge.refund.updated', 0), { deliveries: 0, read });
}

/** Records the disputes of a charge on record. */
export async function takeUpDisputes(charge: ComparedCharge, disputes: DisputesRead): Promise<void> {
  await carryOut(told(charge, 'charge.dispute.updated', 0), { deliveries: 0, read: null, disputes });
}

const told = ({ processorId, intentId, marks, currency }: ComparedCharge, type: string, amountCents: number) => ({
  processor_id: processorId,
  payload: { eventId: '', type, intentId, amountCents, currency, reference: marks, failureCode: null },
});
