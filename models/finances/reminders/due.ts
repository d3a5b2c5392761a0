/** SQL that says who is to be reminded of what: asked when a mail is claimed, and again by what is told before it goes out. */
import { DEFAULT_SETTINGS } from '../dues-settings/duesSettings.js';
import { NIL } from '../../database/uuid.js';
import { LOCAL_DAY_SQL, MOVED_TO } from '../overdue/localDay.js';

const { reminder_days_before, dunning_interval_days, dunning_max } = DEFAULT_SETTINGS;

/** Days before a row of a payment plan, whatever the organization says of invoices. */
const DAYS_BEFORE_ROW = 3;

/** SQL of the days over settings `s`, as an aggregate: there may be none. */
export const DAYS_BEFORE = `coalesce(max(s.reminder_days_before), '{${reminder_days_before.join()}}')`;

/** SQL over organization `o` and a day `$2`, or null for its own: `l` has what it says about reminders, and its day. */
const RULES = `CROSS JOIN LATERAL (SELECT
    coalesce($2::date, ${LOCAL_DAY_SQL}) AS today,
    ${DAYS_BEFORE} AS days_before,
    coalesce(max(s.dunning_interval_days), ${dunning_interval_days}) AS every,
    coalesce(max(s.dunning_max), ${dunning_max}) AS most
  FROM org_dues_settings s WHERE s.organization_id = o.id) l`;

/** SQL: whether a payment of invoice `i` is disputed now. */
export const IS_DISPUTED = `EXISTS (SELECT FROM payment_records p
    JOIN processor_captures c ON c.organization_id = p.organization_id AND c.processor_id = p.processor_id AND c.intent_id = p.intent_id
    JOIN payment_disputes d ON d.organization_id = c.organization_id AND d.capture_id = c.id AND d.status = 'open'
   WHERE p.organization_id = i.organization_id AND p.invoice_id = i.id)`;

/**
 * SQL: whether invoice `i` is frozen on a day. Whether somebody asks for a plan at all is a look into an index; the function is asked
 * only then, since to call it costs more. @param day SQL of the day
 */
export const isFrozen = (day: string): string => `(EXISTS (SELECT FROM payment_plan_requests q
    WHERE q.organization_id = i.organization_id AND q.invoice_id = i.id AND q.status = 'pending' OFFSET 0)
  AND app.invoice_is_frozen(i.organization_id, i.id, ${day}))`;

/** SQL: whether anybody may be asked to pay invoice `i` on a day. @param day SQL of the day */
export const mayBeAsked = (
  day: string,
): string => `(i.status IN ('open', 'partially_paid', 'overdue') AND i.balance_due_cents > 0
  AND NOT ${isFrozen(day)} AND NOT ${IS_DISPUTED})`;

/** SQL: whether invoice `i` is paid by plan `p`. */
const PLAN = `p.organization_id = i.organization_id AND p.invoice_id = i.id AND p.status = 'active'`;
export const HAS_PLAN = `EXISTS (SELECT FROM payment_plans p WHERE ${PLAN})`;

/** SQL of the row of its payment plan with which invoice `i` is due, in words; NULL without one. */
export const INSTALMENT = `(SELECT ', instalment ' || r.sequence || ' of ' ||
    (SELECT count(*) FROM payment_plan_installments a WHERE a.organization_id = p.organization_id AND a.plan_id = p.id)
  FROM payment_plans p JOIN payment_plan_installments r ON r.organization_id = p.organization_id AND r.plan_id = p.id
   AND r.due_date = i.due_date
 WHERE ${PLAN} ORDER BY r.sequence DESC LIMIT 1)`;

/**
 * SQL of the occasion that invoice `i` gives on day `l.today`: the nearest of the days before its due date that is reached, so
 * that a day that was missed is made up once; and how many times of dunning have passed since. What is paid in part is
 * marked by nobody, and is told of on the morning after.
 */
const OCCASION = `CROSS JOIN LATERAL (
    SELECT 'due_soon' AS kind, min(days) AS step
      FROM unnest(CASE WHEN ${HAS_PLAN} THEN '{${DAYS_BEFORE_ROW}}' ELSE l.days_before END) AS days
     WHERE i.due_date BETWEEN l.today AND l.today + days HAVING count(*) > 0
    UNION ALL
    SELECT 'dunning', least((l.today - i.due_date) / l.every, l.most)
     WHERE i.due_date < l.today AND (i.status = 'partially_paid' OR (l.most > 0 AND l.today - i.due_date >= l.every))) occasion`;

/** Who pays: the member, else the chapter. */
const PAYER = (row: string): string => `coalesce(${row}.membership_id, ${row}.chapter_id)`;

const DUE_STATUSES = `('open', 'partially_paid', 'overdue')`;
/** The longest of the days before a due date. */
const LONGEST = Math.max(60, DAYS_BEFORE_ROW);

/**
 * SQL of a CTE: payers who were reminded on day `$2` already. A set of its own: joined to invoices, it would be planned before the
 * reminders of the day are made, and read anew for each invoice. @param after SQL of the payer after whom they are wanted
 */
const remindedAfter = (after: string): string => `
  reminded_already AS MATERIALIZED (
    SELECT ${PAYER('r')} AS payer FROM payment_reminders r
     WHERE r.organization_id = $1 AND r.day = $2::date AND ${PAYER('r')} > ${after})`;

/** SQL: whether payer `payer` is one of them. */
const wasReminded = (payer: string): string => `${payer} IN (SELECT r.payer FROM reminded_already r)`;

/** SQL of payers after `$3`, by a column of theirs. */
const payersAfter = (column: string, others: string, most: number): string => `
    (SELECT DISTINCT i.${column} AS payer FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.${column} > $3::uuid ${others} AND i.status IN ${DUE_STATUSES} AND i.due_date <= $2::date + ${LONGEST}
        AND NOT ${wasReminded(`i.${column}`)}
      ORDER BY 1 LIMIT ${most})`;

/**
 * SQL of CTEs up to `due`, as below, of the next payers after `$3` who owe anything, in their order: `payers_to_ask`.
 * Each page reads its own payers' invoices by an index, however many others there are. @param most payers of the page
 */
export const duePage = (most: number): string => `${remindedAfter('$3::uuid')},
  payers_to_ask AS MATERIALIZED (
    SELECT payer FROM (${payersAfter('membership_id', '', most)}
    UNION ALL ${payersAfter('chapter_id', 'AND i.membership_id IS NULL', most)}) every ORDER BY payer LIMIT ${most}),
  owed AS (
    SELECT i.* FROM payers_to_ask a JOIN chapter_invoices i ON i.organization_id = $1 AND i.membership_id = a.payer
    UNION ALL
    SELECT i.* FROM payers_to_ask a JOIN chapter_invoices i ON i.organization_id = $1 AND i.chapter_id = a.payer AND i.membership_id IS NULL),
  ${dueAmong('owed')}`;

/**
 * SQL of CTEs up to `due`, for organization `$1` and day `$2`: invoices whose payers are to be reminded. Whoever was told within these days that it was issued, or is due again, is
 * not told once more, and nobody has two mails a day.
 */
export const DUE = `${remindedAfter(`'${NIL}'`)}, ${dueAmong('chapter_invoices')}`;

function dueAmong(invoices: string): string {
  return `due AS (
    SELECT i.id, i.chapter_id, i.membership_id, ${PAYER('i')} AS payer, l.today, occasion.kind, occasion.step, ${MOVED_TO} AS moved_to
      FROM organizations o ${RULES}
      JOIN ${invoices} i ON i.organization_id = o.id ${OCCASION}
     WHERE o.id = $1 AND i.status IN ${DUE_STATUSES}
       AND i.due_date <= l.today + ${LONGEST}
       AND (occasion.kind = 'dunning'
         OR app.local_day_of(o.timezone, coalesce(i.reopened_at, i.created_at)) < i.due_date - occasion.step)
       AND NOT ${wasReminded(PAYER('i'))}
       AND NOT EXISTS (SELECT FROM invoice_notices n WHERE n.organization_id = o.id AND n.invoice_id = i.id AND n.kind = occasion.kind
             AND n.occasion = occasion.step::text AND n.moved_to IS NOT DISTINCT FROM ${MOVED_TO} OFFSET 0)
       AND ${mayBeAsked('l.today')})`;
}
