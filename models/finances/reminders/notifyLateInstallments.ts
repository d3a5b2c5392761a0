import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from './notifications.js';

/** SQL of the Monday of the week of day `$2`. */
const MONDAY = `date_trunc('week', $2::date)::date`;

/**
 * SQL over organization `o`: whether to notify its administrators now of installments that were missed before this week
 * began. They are notified once a week; if Monday's run did not happen, a later day of the week does it.
 */
export const HAS_LATE_INSTALLMENTS = `(EXISTS (SELECT FROM app.late_plans(o.id, ${MONDAY}))
  AND NOT EXISTS (SELECT FROM notifications n WHERE n.organization_id = o.id AND n.subject_id = o.id
    AND n.event_id = 'organization:' || o.id || ':${notifications.plan_rows_late.cause}:' || ${MONDAY}))`;

/**
 * Notifies the administrators of late installments, once a week. @param day the organization's local date, YYYY-MM-DD
 */
export async function notifyLateInstallments(day: string): Promise<void> {
  const organizationId = currentOrganization();
  const late = await firstRow<{ monday: string }>(
    `SELECT ${MONDAY}::text AS monday FROM organizations o WHERE o.id = $1 AND ${HAS_LATE_INSTALLMENTS}`,
    [organizationId, day],
  );
  if (!late) return;
  const { plan_rows_late } = notifications;
  await notify(plan_rows_late, [organizationId], { cause: `${plan_rows_late.cause}:${late.monday}`, actor: null });
}
