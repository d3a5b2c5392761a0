/** The organization's own date, by the database's clock. A time zone that Postgres does not know counts as UTC. */
import { DEFAULT_SETTINGS } from '../dues-settings/duesSettings.js';

/** SQL over organization `o`: its date now. */
export const LOCAL_DAY_SQL = 'app.local_day(o.timezone)';

/**
 * SQL: whether invoice `i` should be overdue on the day that `$n` holds. One that is paid in part says that it is past due,
 * and is not marked (spec: from open). The freeze of a pending plan request holds it back.
 */
export const isOverdueSql = (n: number): string => `(i.status = 'open' AND i.balance_due_cents > 0
  AND i.due_date < $${n}::date AND NOT app.invoice_is_frozen(i.organization_id, i.id, $${n}::date))`;

/** SQL over organization `o`: reminders wake nobody. */
export const IS_MORNING = 'app.local_hour(o.timezone) >= 9';

/** SQL over organization `o`: how many days before the due date payers are reminded; 0: never. */
export const DUE_SOON_DAYS = `coalesce((SELECT s.due_soon_days FROM org_dues_settings s WHERE s.organization_id = o.id),
  ${DEFAULT_SETTINGS.due_soon_days})`;

/** SQL over invoice `i`: its due date, where that is not the first; each is told of once. */
export const MOVED_TO = 'CASE WHEN i.original_due_date IS NOT NULL THEN i.due_date END';

/**
 * SQL over organization `o`: whether the payer of invoice `i` is to be reminded on the day `l.today`, `l.days` before it is due. Who was told within these
 * days that it was issued, or is due again, is not told once more.
 */
export const IS_DUE_SOON = `(i.status IN ('open', 'partially_paid') AND i.balance_due_cents > 0
  AND i.due_date BETWEEN l.today AND l.today + l.days AND l.days > 0
  AND app.local_day_of(o.timezone, coalesce(i.reopened_at, i.created_at)) < i.due_date - l.days
  AND NOT app.invoice_is_frozen(i.organization_id, i.id, l.today)
  AND NOT EXISTS (SELECT FROM invoice_notices n
    WHERE n.organization_id = i.organization_id AND n.invoice_id = i.id AND n.kind = 'due_soon'
      AND n.moved_to IS NOT DISTINCT FROM ${MOVED_TO}))`;
