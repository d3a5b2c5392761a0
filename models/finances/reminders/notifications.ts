/**
 * Notification types of reminders: one mail with all that a payer owes now or soon, and late installments for
 * administrators.
 */
import { defineNotifications } from '../../notifications/types.js';
import { ACTIVE_ADMINS, IS_ADMIN, PAYER_IN_WORDS, payerOf, SEES_INVOICE } from '../recipients.js';
import { MOVED_DUE_DATE } from '../overdue/localDay.js';
import { DAYS_BEFORE, HAS_PLAN, INSTALLMENT, isFrozen, mayRequestPayment } from './due.js';

/** Maximum invoices listed in one mail; the others are counted. */
const MAX_LISTED_INVOICES = 3;
const MAX_LISTED_PLANS = 5;

const DUE_TEXT = `CASE WHEN i.due_date < x.today THEN 'since' WHEN i.due_date = x.today THEN 'today,' WHEN i.due_date = x.today + 1 THEN 'tomorrow,'
  ELSE 'in ' || i.due_date - x.today || ' days,' END || ' ' || to_char(i.due_date, 'YYYY-MM-DD')`;

/** SQL of a member's or a chapter's own invoices, each branch by an index, because a chapter may have many invoices. */
const INVOICES_OF_PAYER = `(
    SELECT * FROM chapter_invoices WHERE organization_id = r.organization_id AND membership_id = r.membership_id AND chapter_id = r.chapter_id
    UNION ALL
    SELECT * FROM chapter_invoices
     WHERE organization_id = r.organization_id AND chapter_id = r.chapter_id AND payer_type = 'chapter' AND r.membership_id IS NULL)`;

/**
 * SQL of the facts of reminder `n.subject_id`: all that its payer owes now or within the organization's reminder days.
 * There are none when no invoice that caused the reminder still has the same due date (`is_due_still`). Notices are
 * looked up per invoice (OFFSET 0): on the first morning Postgres has no row statistics, and would read all of the
 * organization's.
 */
const FACTS = `
  SELECT jsonb_build_object('office_of', (array_agg(due.office_of))[1],
           'list', string_agg(due.line, '; ' ORDER BY due.due_date, due.id) FILTER (WHERE due.place <= ${MAX_LISTED_INVOICES}),
           'what', CASE WHEN count(*) = 1 THEN min(due.description) ELSE count(*) || ' invoices' END,
           'more', CASE WHEN count(*) > ${MAX_LISTED_INVOICES} THEN ' And ' || count(*) - ${MAX_LISTED_INVOICES} || ' more.' END,
           'amount', CASE WHEN bool_and(due.amounts)
             THEN app.money_fact(sum(due.balance_due_cents)::bigint, min(due.currency), ' In all ', ' is due.') END,
           'plans', CASE WHEN bool_or(due.may_ask) THEN ' If you cannot pay the full amount now, you can request to pay in installments.' END)
    FROM (
      SELECT i.id, i.due_date, i.description, i.balance_due_cents, i.currency, sees.amounts, sees.office_of,
             row_number() OVER (ORDER BY i.due_date, i.id) AS place,
             '"' || left(i.description, 60) || '"' || coalesce(CASE WHEN plan.is_there THEN ${INSTALLMENT} END, '') || ' (' || ${DUE_TEXT} || ')' AS line,
             i.membership_id IS NOT NULL AND x.plans AND NOT plan.is_there AS may_ask,
             noticed.as_due AND NOT ${isFrozen('r.own_day')} AS is_due_still
        FROM (SELECT r.*, app.local_day(o.timezone) AS own_day FROM payment_reminders r JOIN organizations o ON o.id = r.organization_id
               WHERE r.organization_id = n.organization_id AND r.id = n.subject_id OFFSET 0) r
       CROSS JOIN LATERAL (SELECT greatest(r.day, r.own_day) AS today,
           coalesce((SELECT max(one) FROM unnest(${DAYS_BEFORE}) one), 0) AS days,
           coalesce(bool_or(s.payment_plans_enabled AND s.plan_requesters <> 'officers'), false) AS plans
         FROM org_dues_settings s WHERE s.organization_id = r.organization_id) x
       CROSS JOIN LATERAL ${INVOICES_OF_PAYER} i
       CROSS JOIN LATERAL (SELECT (SELECT bool_or(k.moved_to IS NOT DISTINCT FROM ${MOVED_DUE_DATE}) FROM invoice_reminders k
           WHERE k.organization_id = i.organization_id AND k.invoice_id = i.id AND k.reminder_id = r.id) AS as_due OFFSET 0) noticed
       CROSS JOIN LATERAL ${SEES_INVOICE} sees
       CROSS JOIN LATERAL (SELECT ${HAS_PLAN} AS is_there OFFSET 0) plan
       WHERE sees.amounts IS NOT NULL AND ${mayRequestPayment('x.today')}
         AND (i.due_date <= x.today + x.days OR noticed.as_due IS NOT NULL)) due
  HAVING bool_or(due.is_due_still)`;

const reminderType = {
  who: PAYER_IN_WORDS,
  subject: 'payment_reminder',
  path: '/invoices',
  // No action, because a list of invoices has no single state at which it is done.
  action: null,
  needsAccess: false,
  recipients: payerOf(`FROM payment_reminders r
     CROSS JOIN LATERAL (SELECT r.organization_id, r.id, CASE WHEN r.membership_id IS NULL THEN 'chapter' ELSE 'member' END AS payer_type,
       r.chapter_id, r.membership_id) i
     WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`),
  unknownMail: 'never',
  facts: FACTS,
} as const;

/**
 * SQL of active plans `p` whose next installment, with which their invoice `i` is due, is before a day. @param day SQL
 * of the day
 */
export const latePlansSql = (day: string): string => `payment_plans p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id AND i.balance_due_cents > 0
     AND i.due_date < ${day} AND p.status = 'active'`;

export const notifications = defineNotifications({
  payments_due_soon: {
    ...reminderType,
    event: 'invoice_due_soon',
    cause: 'due_soon',
    title: 'Due soon: {what}',
    body: 'Not fully paid yet: {list}.{more}{amount}{plans}',
  },
  payments_overdue: {
    ...reminderType,
    event: 'invoice_overdue',
    cause: 'overdue',
    title: 'Still due: {what}',
    body: 'Not fully paid yet: {list}.{more}{amount}{plans} If you have paid in the meantime, thank you; you need not do anything.',
  },
  plan_rows_late: {
    who: 'The organization’s administrators',
    event: 'payment_updated',
    subject: 'organization',
    cause: 'late_rows',
    title: 'Late installments: {count}',
    body: 'Payers with a late installment: {list}.{more}',
    path: '/payment-plans?late=true',
    action: null,
    needsAccess: true,
    recipients: ACTIVE_ADMINS,
    unknownMail: 'never',
    facts: `
      SELECT jsonb_build_object('office_of', n.organization_id, 'count', count(*),
               'list', string_agg(late.line, '; ' ORDER BY late.due_date, late.id) FILTER (WHERE late.place <= ${MAX_LISTED_PLANS}),
               'more', CASE WHEN count(*) > ${MAX_LISTED_PLANS} THEN ' And ' || count(*) - ${MAX_LISTED_PLANS} || ' more.' END)
        FROM (SELECT p.id, i.due_date, row_number() OVER (ORDER BY i.due_date, p.id) AS place,
                left(u.first_name || ' ' || u.last_name, 60) || coalesce(${INSTALLMENT}, '') || ' (' || to_char(i.due_date, 'YYYY-MM-DD') || ')' AS line
                FROM ${latePlansSql('(SELECT app.local_day(o.timezone) FROM organizations o WHERE o.id = n.organization_id)')}
                JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id JOIN users u ON u.id = m.user_id
               WHERE p.organization_id = n.organization_id) late
       WHERE ${IS_ADMIN} HAVING count(*) > 0`,
  },
});
