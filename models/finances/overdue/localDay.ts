/** SQL for an organization's local date, by the database's clock. A time zone unknown to Postgres counts as UTC. */

/** SQL over organization `o`: its local date now. */
export const LOCAL_DAY_SQL = 'app.local_day(o.timezone)';

/**
 * SQL: whether invoice `i` should be marked overdue on the day in parameter `$n`. A partially paid invoice is shown as
 * past due but keeps its status (spec: from open). An invoice frozen by a pending plan request is not marked.
 */
export const isOverdueSql = (n: number): string => `(i.status = 'open' AND i.balance_due_cents > 0
  AND i.due_date < $${n}::date AND NOT app.invoice_is_frozen(i.organization_id, i.id, $${n}::date))`;

/** SQL over organization `o`: whether it is 09:00 or later there, so that reminders do not arrive at night. */
export const IS_MORNING = 'app.local_hour(o.timezone) >= 9';

/**
 * SQL over invoice `i`: its due date if the date was changed after the invoice was issued, else NULL. It is part of a
 * notification's key, so that a changed due date is notified again.
 */
export const MOVED_DUE_DATE = 'app.moved_due_date(i.original_due_date, i.due_date)';
