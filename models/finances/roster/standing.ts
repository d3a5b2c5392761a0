/** Whether somebody asks at all is a look into an index; the function is asked only then. */
const IS_FROZEN = `(EXISTS (SELECT FROM payment_plan_requests r WHERE r.organization_id = i.organization_id AND r.invoice_id = i.id
    AND r.status = 'pending') AND app.invoice_is_frozen(i.organization_id, i.id, (SELECT app.today())))`;

/** SQL over invoice `i`: something is due, its day is over by the organization's own date, and no freeze holds it back; marked overdue or not. */
export const IS_DELINQUENT = `(i.balance_due_cents > 0 AND i.due_date < (SELECT app.today()) AND NOT ${IS_FROZEN})`;

/** SQL over invoice `i`: something of it can be asked for. The states are named for the index's sake. */
export const IS_OWED = `(i.status IN ('open', 'overdue', 'partially_paid') AND i.balance_due_cents > 0)`;

/** SQL over membership `m`: something was billed, paid or not. */
export const WAS_BILLED = `EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = m.organization_id AND i.membership_id = m.id
  AND i.status <> 'void')`;
