/** SQL that finds invoices to remind payers of. */
import { DEFAULT_SETTINGS } from '../dues-settings/duesSettings.js';
import { NIL } from '../../database/uuid.js';
import { LOCAL_DAY_SQL, MOVED_DUE_DATE } from '../overdue/localDay.js';

const { dunning_interval_days, dunning_max } = DEFAULT_SETTINGS;

/** How many days before the due date of an installment its payer is reminded, in every organization. */
const DAYS_BEFORE_INSTALLMENT = 3;

/**
 * SQL over organization `o` and a day `$2` (null: the organization's local date). It joins `l`, which has the reminder
 * settings of `o` and that day.
 */
const RULES = `CROSS JOIN LATERAL (SELECT
    coalesce($2::date, ${LOCAL_DAY_SQL}) AS today,
    app.reminder_days_before(o.id) AS days_before,
    coalesce(max(s.dunning_interval_days), ${dunning_interval_days}) AS every,
    coalesce(max(s.dunning_max), ${dunning_max}) AS most
  FROM org_dues_settings s WHERE s.organization_id = o.id) l`;

/** SQL: whether invoice `i` is paid in installments. */
const HAS_PLAN = `EXISTS (SELECT FROM payment_plans p
    WHERE p.organization_id = i.organization_id AND p.invoice_id = i.id AND p.status = 'active')`;

/**
 * SQL of the reminder that invoice `i` needs on day `l.today`, with its step. Before the due date, the step is the
 * smallest configured number of days that covers the days left, so that a missed reminder is sent later, once (with 7
 * and 3 configured and 5 days left: 7). After the due date, the step is the number of dunning intervals that have
 * passed. The payer of an unpaid invoice is notified when it is marked overdue; a partially paid invoice is never
 * marked, so its payer gets a reminder on the first day after the due date instead.
 */
const REMINDER_STEP = `CROSS JOIN LATERAL (
    SELECT 'due_soon' AS kind, min(days) AS step
      FROM unnest(CASE WHEN ${HAS_PLAN} THEN '{${DAYS_BEFORE_INSTALLMENT}}' ELSE l.days_before END) AS days
     WHERE i.due_date BETWEEN l.today AND l.today + days HAVING count(*) > 0
    UNION ALL
    SELECT 'dunning', least((l.today - i.due_date) / l.every, l.most)
     WHERE i.due_date < l.today AND (i.status = 'partially_paid' OR (l.most > 0 AND l.today - i.due_date >= l.every))) occasion`;

/** SQL of the payer's id: the membership; for an invoice of the chapter itself, the chapter. */
const payerColumn = (row: string): string => `coalesce(${row}.membership_id, ${row}.chapter_id)`;

const DUE_STATUSES = `('open', 'partially_paid', 'overdue')`;
/** The largest number of days before a due date on which a reminder may be sent. */
const MAX_DAYS_BEFORE = Math.max(60, DAYS_BEFORE_INSTALLMENT);

/**
 * SQL of a CTE: payers who were already reminded on day `$2`. It is a separate CTE, because in a join with the invoices
 * Postgres would expect no such rows (its statistics are older than that day's reminders), and would read them again
 * for each invoice.
 * @param after SQL of the payer after whom the batch begins
 */
const remindedAfter = (after: string): string => `
  reminded_already AS MATERIALIZED (
    SELECT ${payerColumn('r')} AS payer FROM payment_reminders r
     WHERE r.organization_id = $1 AND r.day = $2::date AND ${payerColumn('r')} > ${after})`;

/** SQL: whether payer `payer` was already reminded. */
const wasReminded = (payer: string): string => `${payer} IN (SELECT r.payer FROM reminded_already r)`;

/**
 * SQL of the next payers after `$3`, ordered by id.
 * @param column the payer's column: `membership_id` or `chapter_id`
 * @param others SQL of a further condition
 */
const payersAfter = (column: string, others: string, limit: number): string => `
    (SELECT DISTINCT i.${column} AS payer FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.${column} > $3::uuid ${others} AND i.status IN ${DUE_STATUSES} AND i.due_date <= $2::date + ${MAX_DAYS_BEFORE}
        AND NOT ${wasReminded(`i.${column}`)}
      ORDER BY 1 LIMIT ${limit})`;

/**
 * SQL of CTEs for the next payers after `$3` who have debts: `payers_to_ask`, in the order of their ids, and `due` with
 * their invoices. Each batch reads only its payers' invoices, by an index.
 * @param limit maximum payers of the batch
 */
export const dueBatch = (limit: number): string => `${remindedAfter('$3::uuid')},
  payers_to_ask AS MATERIALIZED (
    SELECT payer FROM (${payersAfter('membership_id', '', limit)}
    UNION ALL ${payersAfter('chapter_id', 'AND i.membership_id IS NULL', limit)}) every ORDER BY payer LIMIT ${limit}),
  owed AS (
    SELECT i.* FROM payers_to_ask a JOIN chapter_invoices i ON i.organization_id = $1 AND i.membership_id = a.payer
    UNION ALL
    SELECT i.* FROM payers_to_ask a JOIN chapter_invoices i ON i.organization_id = $1 AND i.chapter_id = a.payer AND i.membership_id IS NULL),
  ${dueAmong('owed')}`;

/**
 * SQL of CTEs up to `due` for organization `$1` and day `$2`: invoices whose payers are to be reminded. A payer gets at
 * most one reminder a day. A reminder for a number of days before the due date is skipped if the invoice was issued, or
 * became due again, that late or later, because its payer was notified then.
 */
export const DUE = `${remindedAfter(`'${NIL}'`)}, ${dueAmong('chapter_invoices')}`;

function dueAmong(invoices: string): string {
  return `due AS (
    SELECT i.id, i.chapter_id, i.membership_id, ${payerColumn('i')} AS payer, l.today, occasion.kind, occasion.step, ${MOVED_DUE_DATE} AS moved_to
      FROM organizations o ${RULES}
      JOIN ${invoices} i ON i.organization_id = o.id ${REMINDER_STEP}
     CROSS JOIN LATERAL app.may_request_payment(i.organization_id, i.id, i.status, i.balance_due_cents, l.today) request
     WHERE o.id = $1 AND i.status IN ${DUE_STATUSES}
       AND i.due_date <= l.today + ${MAX_DAYS_BEFORE}
       AND (occasion.kind = 'dunning'
         OR app.local_day_of(o.timezone, coalesce(i.reopened_at, i.created_at)) < i.due_date - occasion.step)
       AND NOT ${wasReminded(payerColumn('i'))}
       AND NOT EXISTS (SELECT FROM invoice_reminders n WHERE n.organization_id = o.id AND n.invoice_id = i.id AND n.kind = occasion.kind
             AND n.occasion = occasion.step::text AND n.moved_to IS NOT DISTINCT FROM ${MOVED_DUE_DATE} OFFSET 0)
       AND request.allowed)`;
}
