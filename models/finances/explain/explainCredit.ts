import { firstJson } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { Payer } from '../credit/payer.js';
import { CREDIT_KINDS } from '../credit/readCredit.js';
import { ENTRIES_JSON, type Explanation } from './explanation.js';

export const CREDIT_CAUSES = [...CREDIT_KINDS, 'reserved'] as const;
export type CreditCause = (typeof CREDIT_CAUSES)[number];

/**
 * Explains a payer's credit, including amounts reserved for pending refunds, in one statement. @throws Refusal
 * not_found
 */
export async function explainCredit({ chapterId, membershipId }: Payer): Promise<Explanation<CreditCause>> {
  return requireFound(
    await firstJson<Explanation<CreditCause>>(
      `WITH payer AS (
         SELECT c.organization_id, c.id FROM chapters c
          WHERE c.organization_id = (SELECT app.org_id()) AND c.id = $1
            AND ($2::uuid IS NULL OR EXISTS (SELECT 1 FROM memberships m
              WHERE m.organization_id = c.organization_id AND m.chapter_id = c.id AND m.id = $2))),
       facts AS (
         SELECT k.kind, k.id, k.amount_cents, app.credit_effect(k) AS change_cents, k.created_at AS at, k.reason, k.created_by AS actor_id,
                NULL AS process, p.intent_id AS gateway_object, false AS waits
           FROM payer y JOIN chapter_account_credits k ON k.organization_id = y.organization_id AND k.chapter_id = y.id
            AND k.membership_id IS NOT DISTINCT FROM $2::uuid
           LEFT JOIN payment_records p ON p.organization_id = k.organization_id AND p.id = k.payment_record_id
         UNION ALL
         SELECT 'reserved', r.id, r.amount_cents, -r.amount_cents, r.created_at, r.reason, r.requested_by, 'refund/' || r.id,
                r.gateway_refund_id, true
           FROM payer y JOIN refunds r ON r.organization_id = y.organization_id AND r.of_credit AND r.finished_at IS NULL
           JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
          WHERE CASE WHEN r.credit_membership_id IS NULL THEN i.chapter_id = y.id AND i.membership_id IS NOT DISTINCT FROM $2::uuid
                     ELSE r.credit_membership_id = $2::uuid END),
       added AS (
         SELECT *, row_number() OVER running AS position, greatest(sum(change_cents) OVER running, 0)::bigint AS running_balance_cents
           FROM facts WINDOW running AS (ORDER BY waits, at, id ROWS UNBOUNDED PRECEDING)),
       explained AS (
         SELECT *, running_balance_cents - coalesce(lag(running_balance_cents) OVER (ORDER BY position), 0) AS effect_cents,
                NULL AS gateway_event FROM added)
       SELECT coalesce((SELECT currency FROM org_dues_settings s WHERE s.organization_id = y.organization_id), 'usd') AS currency,
              app.credit_balance($1, $2) AS balance_cents, ${ENTRIES_JSON} AS entries FROM payer y`,
      [chapterId, membershipId],
    ),
  );
}
