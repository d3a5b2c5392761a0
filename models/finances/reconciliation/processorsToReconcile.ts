import type { ReconciliationInput } from '../../../workflows/contracts/reconciliation.js';
import { rows } from '../../database/rows.js';
import { organizationsByDay } from '../../organizations/organizationsByDay.js';
import { PROVIDERS } from '../payment-processors/OrgPaymentProcessor.js';
import { factsOf } from '../payment-processors/providers.js';

export interface ProcessorPage {
  organizations: ReconciliationInput[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

/** Those that say what moved in an account, and how late. */
const LISTING = PROVIDERS.flatMap((provider) => {
  const facts = factsOf(provider);
  return facts.capabilities.includes('reconciliation') ? [{ provider, minutes: facts.listedAfterMinutes }] : [];
});

/**
 * The accounts of a page of active organizations, each by one processor: the active one, if any. One that was disabled counts as
 * long as money that it took may go back. The period is three days up to when the provider's list is whole: ten minutes ago at the latest, so
 * that what is told at this moment is on record. Where nobody could compare for longer, it begins where the last comparison ended, so that
 * no day is left out; a month ago at the earliest.
 */
export async function processorsToReconcile(after: string | null): Promise<ProcessorPage> {
  const processors: ReconciliationInput[] = [];
  const { next } = await organizationsByDay(after, async ({ organizationId }) => {
    const found = await rows<Omit<ReconciliationInput, 'organizationId'>>(ACCOUNTS, [
      organizationId,
      JSON.stringify(LISTING),
    ]);
    processors.push(...found.map((one) => ({ organizationId, ...one })));
    return found.length > 0;
  });
  return { organizations: processors, next };
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;

const ACCOUNTS = `
  WITH span AS (
    SELECT provider, date_trunc('minute', now()) - minutes * interval '1 minute' AS until
      FROM jsonb_to_recordset($2) AS listing(provider text, minutes int))
  SELECT DISTINCT ON (p.provider, coalesce(p.gateway_account_id, p.id::text), p.gateway_livemode) p.id AS "processorId",
         to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
         to_char(least(span.until - interval '3 days', greatest(span.until - interval '30 days', compared.until)) AT TIME ZONE 'UTC', ${ISO}) AS "from",
         to_char(span.until AT TIME ZONE 'UTC', ${ISO}) AS "to"
    FROM org_payment_processors p JOIN span USING (provider)
   CROSS JOIN LATERAL (SELECT coalesce(max(r.period_to) FILTER (WHERE r.status = 'compared'), min(r.period_from), span.until) AS until
     FROM reconciliations r WHERE r.organization_id = $1 AND r.processor_id IN (SELECT s.id FROM org_payment_processors s
       WHERE s.organization_id = $1 AND (s.id = p.id
         OR (s.provider, s.gateway_account_id, s.gateway_livemode) = (p.provider, p.gateway_account_id, p.gateway_livemode)))) compared
   WHERE p.organization_id = $1 AND (p.disabled_at IS NULL OR EXISTS (
     SELECT FROM processor_captures c
      WHERE c.organization_id = $1 AND c.processor_id = p.id AND c.created_at > now() - interval '180 days'))
   ORDER BY p.provider, coalesce(p.gateway_account_id, p.id::text), p.gateway_livemode, p.disabled_at IS NULL DESC, p.id DESC`;
