/**
 * SQL over invoice `i`: whether it is frozen. The index lookup for a pending request comes first, because the function
 * call costs more.
 */
const IS_FROZEN = `(EXISTS (SELECT FROM payment_plan_requests r WHERE r.organization_id = i.organization_id AND r.invoice_id = i.id
    AND r.status = 'pending') AND app.invoice_is_frozen(i.organization_id, i.id, (SELECT app.today())))`;

/**
 * SQL over invoice `i`: whether it is past due by the organization's local date and not frozen, whether or not it is
 * marked overdue.
 */
export const IS_DELINQUENT = `(i.balance_due_cents > 0 AND i.due_date < (SELECT app.today()) AND NOT ${IS_FROZEN})`;

/** SQL over invoice `i`: whether it has a balance to pay. The statuses are listed so that the index can be used. */
export const IS_OWED = `(i.status IN ('open', 'overdue', 'partially_paid') AND i.balance_due_cents > 0)`;

/** SQL over membership `m`: whether it ever had an invoice, paid or unpaid. Void invoices do not count. */
export const WAS_BILLED = `EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = m.organization_id AND i.membership_id = m.id
  AND i.status <> 'void')`;
