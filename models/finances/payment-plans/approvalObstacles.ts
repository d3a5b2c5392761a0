import { currentOrganization, oneRow } from '../../database/rows.js';
import type { SKIP_REASONS } from './PlanBulkApprovalLine.js';

export type SkipReason = (typeof SKIP_REASONS)[number];

/** SQL FROM clause: plan requests `r` with the rows that `OBSTACLE_SQL` needs. */
export const REQUEST_JOINS = `payment_plan_requests r JOIN organizations o ON o.id = r.organization_id
       JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id`;

/**
 * SQL: the first reason why user `$2` cannot approve a request of organization `$1` as requested; null when there is
 * none.
 */
export const OBSTACLE_SQL = `CASE WHEN m.user_id = $2 THEN 'own_request'
                 WHEN EXISTS (SELECT FROM payment_plans p WHERE p.organization_id = $1 AND p.invoice_id = r.invoice_id AND p.status = 'active')
                   THEN 'plan_already_active'
                 WHEN i.balance_due_cents <> r.invoice_balance_cents THEN 'balance_changed'
                 WHEN (r.schedule->0->>'due_date')::date < app.local_day(o.timezone) THEN 'schedule_past' END`;

/** Returns the reason why a user cannot approve a locked request as requested; null when there is none. */
export const findObstacle = async (requestId: string, userId: string): Promise<SkipReason | null> =>
  (
    await oneRow<{ reason: SkipReason | null }>(
      `SELECT ${OBSTACLE_SQL} AS reason FROM ${REQUEST_JOINS} WHERE r.organization_id = $1 AND r.id = $3`,
      [currentOrganization(), userId, requestId],
    )
  ).reason;
