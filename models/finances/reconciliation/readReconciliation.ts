import { currentOrganization, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { IS_MARKED } from './chargesToCompare.js';

/**
 * The money that moved on one day, according to the provider accounts and to the books, in cents of the organization's
 * currency.
 */
export interface ReconciliationDay {
  /** YYYY-MM-DD, in the organization's time zone. */
  day: string;
  captured_cents: number;
  /** Refunds less failed refunds. */
  refunded_cents: number;
  /** Amount that disputes took, less what they returned. */
  disputed_cents: number;
  fees_cents: number;
  /** The part of the captured amount that is still flagged for a decision. */
  flagged_cents: number;
  payouts_cents: number;
  /** The provider's amount minus the amount in the books, for charges that moved on this day. */
  difference_cents: number;
  /** Whether a run has compared the whole day. */
  compared: boolean;
}

export interface ReconciliationReport {
  from: string;
  to: string;
  timezone: string;
  currency: string;
  days: ReconciliationDay[];
}

const MAX_DAYS = 366;

/**
 * Reads the daily movements of an organization's accounts for dues, as the providers report them, in one statement. Includes
 * only charges for our invoices and remittances; payouts cover the whole account.
 * @param span inclusive days; default: the thirty days up to today
 * @throws Refusal validation_error for a span that ends before it begins, or is longer than a year
 */
export async function readReconciliation(span: {
  from?: string | undefined;
  to?: string | undefined;
}): Promise<ReconciliationReport> {
  const dayRows = await rows<ReconciliationDay & { timezone: string; currency: string }>(DAYS_SQL, [
    currentOrganization(),
    span.from ?? null,
    span.to ?? null,
    MAX_DAYS + 1,
  ]);
  const [first, last] = [dayRows[0], dayRows.at(-1)];
  if (!first || !last) throw invalid(span.to ? 'to' : 'from', 'The last day must not be before the first.');
  if (dayRows.length > MAX_DAYS) throw invalid('from', `Choose a range of at most ${MAX_DAYS} days.`);
  const { timezone, currency } = first;
  const days = dayRows.map((row) => {
    const { timezone: _, currency: __, ...day } = row;
    return day;
  });
  return { from: first.day, to: last.day, timezone, currency, days };
}

const DAYS_SQL = `
  WITH org AS (
    SELECT o.timezone, coalesce(s.currency, 'usd') AS currency, coalesce($3::date, app.local_day(o.timezone)) AS until
      FROM organizations o LEFT JOIN org_dues_settings s ON s.organization_id = o.id WHERE o.id = $1),
  days AS MATERIALIZED (
    SELECT d::date AS day, app.day_begins(org.timezone, d::date) AS begins, app.day_begins(org.timezone, d::date + 1) AS ends
      FROM org CROSS JOIN LATERAL (SELECT org.until - 29 AS usual) u
     CROSS JOIN LATERAL (SELECT coalesce($2::date, u.usual) + n AS d FROM generate_series(0, $4::int - 1) n) d
     WHERE d <= org.until),
  processors AS MATERIALIZED (SELECT * FROM org_payment_processors WHERE organization_id = $1),
  ours AS MATERIALIZED (SELECT id, provider FROM processors WHERE purpose = 'dues'),
  -- Selects the processors whose listed movements count. If an account takes gifts as well, its movements may have been
  -- listed with the key of its processor for gifts.
  listed AS MATERIALIZED (
    SELECT s.id FROM processors s WHERE EXISTS (SELECT FROM processors p WHERE p.purpose = 'dues' AND (s.id = p.id
      OR (s.provider, s.gateway_account_id, s.gateway_livemode) = (p.provider, p.gateway_account_id, p.gateway_livemode)))),
  flagged AS MATERIALIZED (
    SELECT app.uncredited_of_capture(c.organization_id, c.id) AS cents,
           coalesce((SELECT min(m.moved_at) FROM gateway_movements m
             WHERE m.organization_id = $1 AND m.intent_id = c.intent_id AND m.kind = 'captured'), c.created_at) AS at
      FROM processor_captures c WHERE c.organization_id = $1 AND c.processor_id IN (SELECT id FROM ours) AND c.disposition = 'flagged'),
  differing AS MATERIALIZED (
    SELECT DISTINCT ON (k.processor_id, k.gateway_object, k.kind) k.reported_cents - k.recorded_cents AS cents, k.moved_at AS at, k.resolution
      FROM money_cases k
     WHERE k.organization_id = $1 AND k.processor_id IN (SELECT id FROM listed) AND k.moved_at >= (SELECT min(begins) FROM days) AND k.moved_at < (SELECT max(ends) FROM days)
     ORDER BY k.processor_id, k.gateway_object, k.kind, k.id DESC)
  SELECT to_char(days.day, 'YYYY-MM-DD') AS day, org.timezone, org.currency, moved.*,
         coalesce((SELECT sum(cents) FROM flagged WHERE at >= begins AND at < ends), 0)::bigint AS flagged_cents,
         coalesce((SELECT sum(cents) FROM differing WHERE at >= begins AND at < ends AND resolution IS DISTINCT FROM 'agreed'), 0)::bigint AS difference_cents,
         EXISTS (SELECT FROM reconciliations r WHERE r.organization_id = $1 AND r.status = 'compared'
                    AND r.period_from <= begins AND r.period_to >= ends) AS compared
    FROM days CROSS JOIN org
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'captured' AND is_ours), 0)::bigint AS captured_cents,
            -coalesce(sum(m.amount_cents) FILTER (WHERE m.kind IN ('refunded','refund_failed') AND is_ours), 0)::bigint AS refunded_cents,
            -coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'disputed' AND is_ours), 0)::bigint AS disputed_cents,
            coalesce(sum(m.fee_cents) FILTER (WHERE is_ours), 0)::bigint AS fees_cents,
            -coalesce(sum(m.amount_cents) FILTER (WHERE m.kind = 'payout'), 0)::bigint AS payouts_cents
       FROM (SELECT m.*, m.intent_id IS NOT NULL AND (${IS_MARKED} AND NOT m.marks ? 'donation_id' OR EXISTS (
                      SELECT FROM processor_captures c WHERE c.organization_id = $1 AND c.intent_id = m.intent_id
                         AND c.processor_id IN (SELECT id FROM ours WHERE ours.provider = m.provider))) AS is_ours
               FROM gateway_movements m
              WHERE m.organization_id = $1 AND m.processor_id IN (SELECT id FROM listed) AND m.moved_at >= days.begins AND m.moved_at < days.ends AND m.currency = org.currency) m) moved
   ORDER BY days.day`;
