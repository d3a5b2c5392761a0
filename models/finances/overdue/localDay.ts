/** The organization's own date, by the database's clock. A time zone that Postgres does not know counts as UTC. */

/** SQL over organization `o`: its date now. */
export const LOCAL_DAY_SQL = `(now() AT TIME ZONE
  coalesce((SELECT z.name FROM pg_timezone_names z WHERE z.name = o.timezone LIMIT 1), 'UTC'))::date`;

/** SQL: whether invoice `i` should be overdue on the day that `$n` holds. The freeze of a pending plan request holds it back. */
export const isOverdueSql = (n: number): string => `(i.status IN ('open','partially_paid') AND i.balance_due_cents > 0
  AND i.due_date < $${n}::date AND NOT app.invoice_is_frozen(i.organization_id, i.id, $${n}::date))`;
