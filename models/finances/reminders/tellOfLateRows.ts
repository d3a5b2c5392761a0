import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { latePlans, told } from './notifications.js';

/** SQL of the Monday of the week of a day `$2`. */
const MONDAY = `date_trunc('week', $2::date)::date`;

/**
 * SQL over organization `o`: whether its administrators are to be told of rows of payment plans that were missed before this
 * week began. Once a week; a Monday that was missed is made up.
 */
export const HAS_LATE_ROWS = `(EXISTS (SELECT FROM ${latePlans(MONDAY)} WHERE p.organization_id = o.id)
  AND NOT EXISTS (SELECT FROM notifications n WHERE n.organization_id = o.id AND n.subject_id = o.id
    AND n.event_id = 'organization:' || o.id || ':${told.plan_rows_late.cause}:' || ${MONDAY}))`;

/** Tells the administrators of late rows, once a week. @param day the organization's day, YYYY-MM-DD */
export async function tellOfLateRows(day: string): Promise<void> {
  const organizationId = currentOrganization();
  const late = await firstRow<{ monday: string }>(
    `SELECT ${MONDAY}::text AS monday FROM organizations o WHERE o.id = $1 AND ${HAS_LATE_ROWS}`,
    [organizationId, day],
  );
  if (!late) return;
  const { plan_rows_late } = told;
  await notify(plan_rows_late, [organizationId], { cause: `${plan_rows_late.cause}:${late.monday}`, actor: null });
}
