/** Finds charges whose movements at the provider differ from the books, with set-based SQL. */
import { currentOrganization, rows } from '../../database/rows.js';
import { DIFFERENCES } from '../cases/MoneyCase.js';

/** SQL of the processors that share the account of the processor `id`; all of them know the same charges. */
export const sameAccountProcessors = (id: string): string => `
  SELECT s.id FROM org_payment_processors p
    JOIN org_payment_processors s ON s.organization_id = p.organization_id AND (s.id = p.id
      OR (s.provider, s.gateway_account_id, s.gateway_livemode) = (p.provider, p.gateway_account_id, p.gateway_livemode))
   WHERE p.organization_id = $1 AND p.id = ${id}`;

/** SQL: whether the metadata of movement `m` names one of our invoices, remittances or gifts. */
export const IS_MARKED = `(m.marks ?| ARRAY['remittance_id','invoice_id','donation_id'])`;

/**
 * SQL: whether a payment or refund of the charge `intent` is pending, so that another workflow finds out its outcome.
 */
export const inFlight = (intent: string): string => `(
  EXISTS (SELECT FROM payment_attempts a WHERE a.organization_id = $1 AND a.intent_id = ${intent} AND a.status = 'pending')
  OR EXISTS (SELECT FROM processor_captures c JOIN refunds r ON r.organization_id = $1 AND r.capture_id = c.id AND r.finished_at IS NULL
              WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM siblings) AND c.intent_id = ${intent})
  OR EXISTS (SELECT FROM processor_captures c
               JOIN capture_resolutions r ON r.organization_id = $1 AND r.capture_id = c.id AND r.status = 'pending'
              WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM siblings) AND c.intent_id = ${intent}))`;

/**
 * Finds the next charges of a run to ask the provider about: those whose sums differ between the books and the
 * provider's list, that only one side has, or that have an open dispute or case. Sums may differ without an error,
 * because earlier movements were never listed; only the provider can tell. Charges with pending payments or refunds are
 * left out. Right after a day's listing Postgres has no row statistics: `IS TRUE` makes it use a hash lookup instead of
 * a nested loop.
 */
export const chargesToCompare = async (runId: string, limit: number): Promise<string[]> =>
  (
    await rows<{ intent_id: string }>(
      `WITH run AS MATERIALIZED (SELECT * FROM reconciliations WHERE organization_id = $1 AND id = $2),
       siblings AS MATERIALIZED (${sameAccountProcessors('(SELECT processor_id FROM run)')}),
       moved AS MATERIALIZED (
         SELECT DISTINCT m.intent_id FROM gateway_movements m
          WHERE m.organization_id = $1 AND m.moved_at BETWEEN (SELECT period_from FROM run) AND (SELECT period_to FROM run)
            AND m.intent_id IS NOT NULL AND m.processor_id IN (SELECT id FROM siblings)),
       theirs AS (
         SELECT m.intent_id, sum(m.amount_cents) FILTER (WHERE m.kind = 'captured') AS captured,
                -coalesce(sum(m.amount_cents) FILTER (WHERE m.kind IN ('refunded','refund_failed')), 0) AS refunded,
                -coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'disputed'), 0) AS held,
                coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'other'), 0) AS other, bool_or(${IS_MARKED}) AS is_marked
           FROM gateway_movements m
          WHERE m.organization_id = $1 AND m.processor_id IN (SELECT id FROM siblings)
            AND (m.intent_id IN (SELECT intent_id FROM moved)) IS TRUE GROUP BY 1),
       recorded AS (
         SELECT c.intent_id FROM processor_captures c
          WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM siblings)
            AND c.created_at BETWEEN (SELECT period_from FROM run) AND (SELECT period_to FROM run)
         UNION
         SELECT c.intent_id FROM refunds r JOIN processor_captures c ON c.organization_id = $1 AND c.id = r.capture_id
          WHERE r.organization_id = $1 AND r.status = 'succeeded' AND c.processor_id IN (SELECT id FROM siblings)
            AND r.finished_at BETWEEN (SELECT period_from FROM run) AND (SELECT period_to FROM run)
         UNION SELECT intent_id FROM moved),
       ours AS (
         SELECT c.intent_id, c.amount_cents, c.refunded_cents - c.disputed_cents AS refunded, c.withdrawn_cents
           FROM processor_captures c
          WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM siblings)
            AND (c.intent_id IN (SELECT intent_id FROM recorded)) IS TRUE),
       different AS (
         SELECT intent_id FROM theirs t FULL JOIN ours o USING (intent_id)
          WHERE CASE WHEN o.amount_cents IS NULL THEN t.is_marked OR t.held <> 0
                     WHEN t.is_marked IS NULL THEN true
                     ELSE t.captured <> o.amount_cents OR t.refunded <> o.refunded OR t.held <> o.withdrawn_cents OR t.other <> 0 END
         UNION
         SELECT k.gateway_object FROM money_cases k
          WHERE k.organization_id = $1 AND k.status = 'open' AND k.kind = ANY ($4) AND k.processor_id IN (SELECT id FROM siblings)
         UNION
         SELECT c.intent_id FROM payment_disputes d JOIN processor_captures c ON c.organization_id = $1 AND c.id = d.capture_id
          WHERE d.organization_id = $1 AND d.status = 'open' AND c.processor_id IN (SELECT id FROM siblings))
       SELECT f.intent_id FROM different f
        WHERE f.intent_id > coalesce((SELECT cursor FROM run), '') AND NOT ${inFlight('f.intent_id')}
        ORDER BY f.intent_id LIMIT $3`,
      [currentOrganization(), runId, limit, [...DIFFERENCES]],
    )
  ).map(({ intent_id }) => intent_id);
