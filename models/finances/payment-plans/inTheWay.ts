import { currentOrganization, oneRow } from '../../database/rows.js';
import type { SKIPPED } from './PlanBulkApprovalLine.js';

export type Skipped = (typeof SKIPPED)[number];

/** SQL of requests `r` of organization `$1`, with what is asked of them. */
export const REQUESTS = `payment_plan_requests r JOIN organizations o ON o.id = r.organization_id
       JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id`;

/** SQL of what keeps user `$2` from granting one of them as it was asked for; the first that holds, null for nothing. */
export const IN_THE_WAY = `CASE WHEN m.user_id = $2 THEN 'own_request'
                 WHEN EXISTS (SELECT FROM payment_plans p WHERE p.organization_id = $1 AND p.invoice_id = r.invoice_id AND p.status = 'active')
                   THEN 'plan_already_active'
                 WHEN i.balance_due_cents <> r.invoice_balance_cents THEN 'balance_changed'
                 WHEN (r.schedule->0->>'due_date')::date < app.local_day(o.timezone) THEN 'schedule_past' END`;

/** The same of a request that is held. */
export const inTheWay = async (requestId: string, userId: string): Promise<Skipped | null> =>
  (
    await oneRow<{ reason: Skipped | null }>(
      `SELECT ${IN_THE_WAY} AS reason FROM ${REQUESTS} WHERE r.organization_id = $1 AND r.id = $3`,
      [currentOrganization(), userId, requestId],
    )
  ).reason;
