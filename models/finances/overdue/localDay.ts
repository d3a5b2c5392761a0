/** The organization's own date, by the database's clock. A time zone that Postgres does not know counts as UTC. */

/** SQL over organization `o`: its date now. */
export const LOCAL_DAY_SQL = 'app.local_day(o.timezone)';

/** The same over an invoice `i`. */
export const DAY_OF_INVOICE = `(SELECT ${LOCAL_DAY_SQL} FROM organizations o WHERE o.id = i.organization_id)`;

/**
 * SQL: whether invoice `i` should be overdue on the day that `$n` holds. One that is paid in part says that it is past due,
 * and is not marked (spec: from open). The freeze of a pending plan request holds it back.
 */
export const isOverdueSql = (n: number): string => `(i.status = 'open' AND i.balance_due_cents > 0
  AND i.due_date < $${n}::date AND NOT app.invoice_is_frozen(i.organization_id, i.id, $${n}::date))`;

/** SQL over organization `o`: reminders wake nobody. */
export const IS_MORNING = 'app.local_hour(o.timezone) >= 9';

/** SQL over invoice `i`: its due date, where that is not the first; each is told of once. */
export const MOVED_TO = 'CASE WHEN i.original_due_date IS NOT NULL THEN i.due_date END';
