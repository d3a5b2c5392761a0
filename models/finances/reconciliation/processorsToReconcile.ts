import type { ReconciliationInput } from '../../../workflows/contracts/reconciliation.js';
import { rows } from '../../database/rows.js';
import { organizationsByDay } from '../../organizations/organizationsByDay.js';
import { PROVIDERS } from '../payment-processors/OrgPaymentProcessor.js';
import { providerFacts } from '../payment-processors/providers.js';

export interface ProcessorPage {
  organizations: ReconciliationInput[];
  /** Cursor of the next page; null after the last page. */
  next: string | null;
}

/** Providers that can list an account's movements, with the delay of the list in minutes. */
const LISTING_PROVIDERS = PROVIDERS.flatMap((provider) => {
  const facts = providerFacts(provider);
  return facts.capabilities.includes('reconciliation') ? [{ provider, minutes: facts.listCompleteAfterMinutes }] : [];
});

/**
 * Returns the provider accounts of a page of active organizations, each with the period to compare. An account is
 * represented by one of its processors, the active one if possible; a disabled processor counts while its money may
 * still be refunded. The period covers the last three days and ends where the provider's list is surely complete, at
 * least ten minutes ago, so that recent events are already recorded. After missed runs it begins at the end of the last
 * comparison, at most 30 days ago.
 */
export async function processorsToReconcile(after: string | null): Promise<ProcessorPage> {
  const processors: ReconciliationInput[] = [];
  const { next } = await organizationsByDay(after, async ({ organizationId }) => {
    const accounts = await rows<Omit<ReconciliationInput, 'organizationId'>>(ACCOUNTS_SQL, [
      organizationId,
      JSON.stringify(LISTING_PROVIDERS),
    ]);
    processors.push(...accounts.map((account) => ({ organizationId, ...account })));
    return accounts.length > 0;
  });
  return { organizations: processors, next };
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;

const ACCOUNTS_SQL = `
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
   ORDER BY p.provider, coalesce(p.gateway_account_id, p.id::text), p.gateway_livemode, p.disabled_at IS NULL DESC, p.purpose, p.id DESC`;
