/** Notification types of finances. Billing notifications reach the payer even without access to the organization. */
import { defineNotifications } from '../notifications/types.js';
import {
  ACTIVE_ADMINS,
  AMOUNTS_OF_CHAPTER,
  HOLDS_OFFICE,
  IS_ADMIN,
  PAYER_IN_WORDS,
  payerOf,
  SEES_INVOICE,
  REMITTANCE_RESOLVERS,
} from './recipients.js';
import { INVOICE_LOCAL_DAY } from './overdue/localDay.js';
import { INSTALLMENT, mayRequestPayment } from './reminders/due.js';
import { STATUS_SQL } from './remittances/remittance.js';

/** SQL of a fact with an amount in cents; NULL where the recipient does not see amounts. */
const amountFact = (before: string, cents: string, currency: string, after = ''): string =>
  `CASE WHEN sees.amounts THEN app.money_fact(${cents}, ${currency}, '${before}', '${after}') END`;

/** SQL of facts for `jsonb_build_object`: the balance of invoice `i`, and its due date where that has moved. */
const BALANCE_FACTS = `
           'left', CASE WHEN i.balance_due_cents = 0 THEN to_jsonb(' Nothing more is due.'::text)
             ELSE ${amountFact(' ', 'i.balance_due_cents', 'i.currency', ' is still due.')} END,
           'moved', CASE WHEN i.balance_due_cents > 0 AND i.reopened_at IS NOT NULL
             THEN to_char(i.due_date, '" The new due date is "YYYY-MM-DD"."') END`;

/** SQL of the facts of the invoice that is the subject, while `condition` holds. */
const invoiceWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'due_date', to_char(i.due_date, 'YYYY-MM-DD'),
           'instalment', ${INSTALLMENT},
           'amount', ${amountFact(' ', 'i.balance_due_cents', 'i.currency', ' is due.')},${BALANCE_FACTS})
    FROM chapter_invoices i CROSS JOIN LATERAL ${SEES_INVOICE} sees
   WHERE i.organization_id = n.organization_id AND i.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** SQL of the facts of the payment that is the subject, while `condition` holds. Its invoice is `i`. */
const paymentWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'invoice', i.id,
           'amount', ${amountFact(' of ', 'p.amount_cents', 'i.currency')},
           'given_back', ${amountFact(' Refunded in total: ', 'p.refunded_cents', 'i.currency', '.')},${BALANCE_FACTS})
    FROM payment_records p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
   CROSS JOIN LATERAL ${SEES_INVOICE} sees
   WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** SQL of the facts of the remittance that is the subject, while `condition` holds. */
const remittanceWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of,
           'invoices', (SELECT count(*) FROM chapter_remittance_allocations a
                         WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id),
           'amount', ${amountFact(' of ', 'r.total_cents', 'r.currency')},
           'waiting', ${amountFact(' of ', 'r.reconciliation_amount_cents', 'r.currency')})
    FROM chapter_remittances r CROSS JOIN LATERAL ${AMOUNTS_OF_CHAPTER('r.organization_id', 'r.chapter_id')} sees
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** SQL of the facts of the capture that is the subject, for administrators, while `condition` holds. */
const captureWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label,
           'amount', app.money_fact(c.amount_cents - c.refunded_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
    FROM processor_captures c
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE c.organization_id = n.organization_id AND c.id = n.subject_id AND ${IS_ADMIN} AND ${condition}`;

/** SQL of the facts of the dispute that is the subject, for administrators, while `condition` holds. */
const disputeWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'decision', d.status,
           'amount', app.money_fact(d.amount_cents, d.currency, p_without => 'an amount'),
           'until', to_char(d.evidence_due_at AT TIME ZONE 'UTC', '" Submit evidence at the provider by "YYYY-MM-DD"."'))
    FROM payment_disputes d
    JOIN processor_captures c ON c.organization_id = d.organization_id AND c.id = d.capture_id
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE d.organization_id = n.organization_id AND d.id = n.subject_id AND ${IS_ADMIN} AND ${condition}`;

/**
 * SQL of the facts of the refund request that is the subject, while `condition` holds. The amount is absent if none was
 * named or the recipient does not see amounts; then review notes, which may name it, are absent as well.
 * @param office SQL of the chapter or the organization through whose office the recipient sees the request
 */
const refundRequestWhile = (condition: string, office: string): string => `
  SELECT jsonb_build_object('office_of', ${office}, 'description', i.description, 'payer', coalesce(i.payer_name, p.first_name || ' ' || p.last_name, ch.name),
           'officer', o.first_name || ' ' || o.last_name, 'decision', r.status,
           'amount', ${amountFact(' of ', 'r.amount_cents', 'i.currency')},
           'notes', CASE WHEN sees.amounts AND r.review_notes IS NOT NULL
             THEN jsonb_build_object('text', ' ' || r.review_notes, 'without_amount', '') END)
    FROM refund_requests r
    JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
    JOIN chapters ch ON ch.organization_id = i.organization_id AND ch.id = i.chapter_id
    JOIN users o ON o.id = r.requested_by
    LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
    LEFT JOIN users p ON p.id = m.user_id
   CROSS JOIN LATERAL ${AMOUNTS_OF_CHAPTER('i.organization_id', 'i.chapter_id')} sees
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

/**
 * SQL: whether the recipient is the member `m` of the request `r`, or the officer who made it and still holds an office
 * for that chapter.
 */
const IS_PLAN_PARTY = `(m.user_id = n.recipient_id
  OR r.requested_by = n.recipient_id AND ${HOLDS_OFFICE('r.organization_id', 'r.chapter_id')})`;

/** SQL of the chapter through whose office the recipient sees the request `r`; NULL for the member `m` themselves. */
const OFFICE_OF_PLAN = 'CASE WHEN m.user_id <> n.recipient_id THEN r.chapter_id END';

/**
 * SQL of the facts of the payment plan request that is the subject, while `condition` holds. They contain no amounts.
 */
const planRequestWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', ${OFFICE_OF_PLAN}, 'description', i.description, 'payer', coalesce(i.payer_name, p.first_name || ' ' || p.last_name),
           'by', q.first_name || ' ' || q.last_name, 'decision', r.status, 'rows', jsonb_array_length(r.schedule),
           'freeze_ends', to_char(r.freeze_anchor + 2, 'YYYY-MM-DD') || ' (' || o.timezone || ')',
           'notes', CASE WHEN r.review_notes IS NOT NULL AND m.user_id = n.recipient_id THEN ' ' || r.review_notes END)
    FROM payment_plan_requests r
    JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
    JOIN users q ON q.id = r.requested_by
    JOIN organizations o ON o.id = r.organization_id
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id JOIN users p ON p.id = m.user_id
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

/** SQL of the users who made the payment plan request `id` and who are to pay by it; disabled accounts are left out. */
const planParties = (id: string): string => `SELECT u.id AS user_id FROM payment_plan_requests r
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
       JOIN users u ON u.id IN (r.requested_by, m.user_id) AND u.disabled_at IS NULL
      WHERE r.organization_id = s.organization_id AND r.id = ${id}`;

/** SQL of the users who decide on a payment plan request `r`; never the member concerned. */
const PLAN_REVIEWERS = `SELECT w.user_id FROM payment_plan_requests r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
   CROSS JOIN LATERAL (SELECT a.user_id FROM app.active_admins(r.organization_id) a
     UNION SELECT v.user_id FROM region_reviewers v JOIN org_dues_settings s ON s.organization_id = v.organization_id AND s.plan_regional_approval
            WHERE v.organization_id = r.organization_id AND v.chapter_id = r.chapter_id) w
   WHERE w.user_id <> m.user_id`;

const PLAN_REQUEST_REVIEWERS = `${PLAN_REVIEWERS} AND r.organization_id = s.organization_id AND r.id = s.subject_id`;
const PENDING_PLAN_FACTS = planRequestWhile(
  `r.status = 'pending' AND n.recipient_id IN (${PLAN_REVIEWERS} AND r.organization_id = n.organization_id AND r.id = n.subject_id)`,
);

const invoiceType = {
  who: PAYER_IN_WORDS,
  subject: 'invoice',
  path: '/invoices/{subject}',
  needsAccess: false,
  recipients: payerOf(`FROM chapter_invoices i WHERE i.organization_id = s.organization_id AND i.id = s.subject_id`),
  unknownMail: 'never',
} as const;

const paymentType = {
  who: PAYER_IN_WORDS,
  event: 'payment_updated',
  subject: 'payment',
  path: '/invoices/{invoice}',
  action: null,
  needsAccess: false,
  recipients: payerOf(
    `FROM payment_records p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
      WHERE p.organization_id = s.organization_id AND p.id = s.subject_id`,
  ),
  unknownMail: 'never',
} as const;

/**
 * SQL of the users who created the remittance and who last requested its payment, while they hold an office for that;
 * else the chapter's payer.
 */
const REMITTANCE_PAYERS = `
  WITH paying AS (
    SELECT who.user_id FROM chapter_remittances r
     CROSS JOIN LATERAL (
       SELECT r.created_by AS user_id
        UNION
       (SELECT a.requested_by FROM payment_attempts a
         WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id ORDER BY a.id DESC LIMIT 1)) who
     WHERE r.organization_id = s.organization_id AND r.id = s.subject_id
       AND app.offices_of(r.organization_id, who.user_id) && ARRAY[r.organization_id, r.chapter_id])
  SELECT user_id FROM paying
  UNION ALL
  SELECT next.user_id FROM (${payerOf(`FROM (SELECT r.organization_id, r.id, 'chapter' AS payer_type, r.chapter_id, NULL::uuid AS membership_id
    FROM chapter_remittances r WHERE r.organization_id = s.organization_id AND r.id = s.subject_id) i`)}) next
   WHERE NOT EXISTS (SELECT FROM paying)`;

const remittanceType = {
  who: 'The officers who created the remittance and requested its payment; where neither holds an office any more, the chapter’s treasurer, else its president, else an administrator',
  event: 'payment_updated',
  subject: 'remittance',
  path: '/remittances/{subject}',
  action: null,
  needsAccess: true,
  recipients: REMITTANCE_PAYERS,
  unknownMail: 'never',
} as const;

const adminType = {
  who: 'The organization’s administrators',
  event: 'payment_updated',
  action: null,
  needsAccess: true,
  recipients: ACTIVE_ADMINS,
  unknownMail: 'never',
} as const;

export const notifications = defineNotifications({
  invoice_issued: {
    ...invoiceType,
    event: 'invoice_issued',
    cause: 'issued',
    title: 'New invoice: {description}',
    body: '"{description}" is due on {due_date}.{amount}',
    action: 'See and pay',
    facts: invoiceWhile(`i.status <> 'void'`),
  },
  invoice_due_soon: {
    ...invoiceType,
    event: 'invoice_due_soon',
    cause: 'due_soon',
    title: 'Due soon: {description}',
    body: '"{description}"{instalment} is due on {due_date} and is not fully paid yet.{amount}',
    action: 'See and pay',
    facts: invoiceWhile(mayRequestPayment(INVOICE_LOCAL_DAY)),
  },
  invoice_overdue: {
    ...invoiceType,
    event: 'invoice_overdue',
    cause: 'overdue',
    title: 'Overdue: {description}',
    body: '"{description}"{instalment} was due on {due_date} and is not fully paid yet.{amount} If you have paid in the meantime, thank you; you need not do anything.',
    action: 'See and pay',
    facts: invoiceWhile(
      `(i.status = 'overdue' OR i.due_date < ${INVOICE_LOCAL_DAY}) AND ${mayRequestPayment(INVOICE_LOCAL_DAY)}`,
    ),
  },
  invoice_changed: {
    ...invoiceType,
    event: 'payment_updated',
    cause: 'changed',
    title: 'Changed: {description}',
    body: 'The balance of "{description}" has changed.{left}{moved}',
    action: 'See what changed',
    facts: invoiceWhile(`i.status <> 'void'`),
  },
  payment_recorded: {
    ...paymentType,
    cause: 'recorded',
    title: 'Payment received: {description}',
    body: 'We recorded a payment{amount} for "{description}".{left}{moved}',
    facts: paymentWhile(`p.status = 'succeeded'`),
  },
  payment_failed: {
    ...paymentType,
    cause: 'failed',
    title: 'Payment failed: {description}',
    body: 'A payment{amount} for "{description}" failed. No money was taken.{left}{moved}',
    facts: paymentWhile(`p.status = 'failed'`),
  },
  payment_refunded: {
    ...paymentType,
    cause: 'refunded',
    title: 'Refunded: {description}',
    body: 'A payment for "{description}" was refunded.{given_back}{left}{moved}',
    facts: paymentWhile('p.refunded_cents > 0'),
  },
  payment_not_refunded: {
    ...paymentType,
    cause: 'not_refunded',
    title: 'Refund failed: {description}',
    body: 'A refund for "{description}" failed; the amount counts as paid again.{left}{moved}',
    facts: paymentWhile('p.refund_failed_cents > 0'),
  },
  payment_disputed: {
    ...paymentType,
    cause: 'disputed',
    title: 'Disputed: {description}',
    body: 'A payment{amount} for "{description}" was disputed with the bank, which has taken the money back.{left}{moved}',
    facts: paymentWhile('p.refunded_cents > 0'),
  },
  payment_reinstated: {
    ...paymentType,
    cause: 'reinstated',
    title: 'Paid again: {description}',
    body: 'The bank has returned disputed money for "{description}", which counts as paid again.{left}{moved}',
    facts: paymentWhile('p.refund_failed_cents > 0'),
  },
  remittance_settled: {
    ...remittanceType,
    cause: 'settled',
    title: 'Remittance settled',
    body: 'A remittance{amount} is settled. Invoices paid with it: {invoices}.',
    facts: remittanceWhile('r.settled_at IS NOT NULL'),
  },
  remittance_failed: {
    ...remittanceType,
    cause: 'failed',
    title: 'Payment of a remittance failed',
    body: 'The payment of a remittance{amount} failed. No invoice was paid; you can try again.',
    facts: remittanceWhile('r.settled_at IS NULL'),
  },
  remittance_flagged: {
    ...remittanceType,
    cause: 'flagged',
    title: 'A remittance needs reconciliation',
    body: 'A charge{waiting} was captured but paid no invoice. Choose the invoices that it pays.',
    action: 'Resolve',
    who: 'The chapter’s officers and its president; where it has none, the organization’s administrators',
    recipients: REMITTANCE_RESOLVERS,
    facts: remittanceWhile(`(${STATUS_SQL}) = 'needs_reconciliation'`),
  },
  payment_unmatched: {
    ...adminType,
    subject: 'capture',
    cause: 'stray',
    title: 'Unmatched payment',
    body: '{amount} received through "{processor}" matches no invoice. Refund it, or keep it as a payer’s credit.',
    path: '/unmatched-payments/{subject}',
    action: 'Decide',
    facts: captureWhile(`c.remittance_id IS NULL AND c.invoice_id IS NULL AND c.disposition = 'flagged'`),
  },
  refund_failed: {
    ...adminType,
    subject: 'capture',
    cause: 'refund_failed',
    title: 'A refund failed',
    body: 'A refund through "{processor}" was refused or did not arrive; the money is in your account. If the payment matches no invoice, it is under Unmatched payments, where you can decide again.',
    path: '/unmatched-payments/{subject}',
    facts: captureWhile('true'),
    mailedAsAccountNotice: true,
  },
  money_case_opened: {
    ...adminType,
    subject: 'money_case',
    cause: 'opened',
    title: 'A refund could not be allocated',
    body: '{amount} of a charge through "{processor}" that paid several invoices was refunded outside this platform. Choose the invoices it belongs to.',
    path: '/money-cases/{subject}',
    action: 'Decide',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'amount',
        app.money_fact(k.amount_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
      FROM money_cases k JOIN processor_captures c ON c.organization_id = k.organization_id AND c.id = k.capture_id
      JOIN org_payment_processors p ON p.organization_id = k.organization_id AND p.id = k.processor_id
     WHERE k.organization_id = n.organization_id AND k.id = n.subject_id AND k.status = 'open' AND ${IS_ADMIN}`,
  },
  reconciliation_differs: {
    ...adminType,
    subject: 'reconciliation',
    cause: 'compared',
    title: 'Our books and "{processor}" differ',
    body: 'Charges that differ between "{processor}" and our books: {cases}. Each has a case that says what to do.',
    path: '/money-cases',
    action: 'See the cases',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'cases', r.cases_opened)
      FROM reconciliations r JOIN org_payment_processors p ON p.organization_id = r.organization_id AND p.id = r.processor_id
     WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.cases_opened > 0 AND ${IS_ADMIN}`,
  },
  dispute_opened: {
    ...adminType,
    subject: 'dispute',
    cause: 'opened',
    title: 'A payment is disputed',
    body: 'A payer disputes {amount} that came through "{processor}".{until}',
    path: '/disputes/{subject}',
    action: 'Send evidence',
    facts: disputeWhile('true'),
  },
  dispute_evidence_due: {
    ...adminType,
    subject: 'dispute',
    cause: 'evidence_due',
    title: 'Evidence for a dispute is due soon',
    body: 'A payer disputes {amount} that came through "{processor}".{until}',
    path: '/disputes/{subject}',
    action: 'Send evidence',
    facts: disputeWhile(`d.status = 'open' AND d.evidence_due_at > now()`),
  },
  dispute_decided: {
    ...adminType,
    subject: 'dispute',
    cause: 'decided',
    title: 'Dispute decided: {decision}',
    body: 'The dispute of {amount} paid through "{processor}" is {decision}.',
    path: '/disputes/{subject}',
    facts: disputeWhile(`d.status <> 'open'`),
  },
  refund_requested: {
    ...adminType,
    event: 'approval_requested',
    who: 'The organization’s administrators; never the person who made the request',
    subject: 'refund_request',
    cause: 'requested',
    title: 'A refund request needs your decision',
    body: '{officer} requests a refund{amount} for "{description}" to {payer}.',
    path: '/refund-requests/{subject}',
    action: 'Decide',
    unknownMail: 'again',
    recipients: `SELECT a.user_id FROM refund_requests r CROSS JOIN LATERAL app.active_admins(r.organization_id) a
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id AND a.user_id <> r.requested_by`,
    facts: refundRequestWhile(`r.status = 'pending' AND ${IS_ADMIN}`, 'n.organization_id'),
  },
  refund_decided: {
    event: 'request_decided',
    who: 'The officer who made the request',
    subject: 'refund_request',
    cause: 'decided',
    title: 'Your refund request: {decision}',
    body: 'You requested a refund{amount} for "{description}" to {payer}. Your request: {decision}.{notes}',
    path: '/refund-requests/{subject}',
    action: null,
    needsAccess: true,
    recipients: `SELECT r.requested_by AS user_id FROM refund_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: refundRequestWhile(
      `r.status IN ('approved', 'refused', 'expired') AND r.requested_by = n.recipient_id AND sees.amounts IS NOT NULL`,
      'i.chapter_id',
    ),
    unknownMail: 'again',
  },
  plan_requested: {
    event: 'approval_requested',
    who: 'The organization’s administrators, and those of the region where they decide; never the member concerned',
    subject: 'plan_request',
    cause: 'requested',
    title: 'An installment request needs your decision',
    body: '{by} asks to let {payer} pay "{description}" in {rows} parts.',
    path: '/plan-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: PLAN_REQUEST_REVIEWERS,
    facts: PENDING_PLAN_FACTS,
  },
  plan_freeze_ends_soon: {
    event: 'approval_requested',
    who: 'The reviewers of payment plans: the organization’s administrators, and those of the region where they decide; never the member concerned',
    subject: 'plan_request',
    cause: 'reminded',
    title: 'Installment request: the freeze of an invoice ends soon',
    body: '{by} asks to let {payer} pay "{description}" in {rows} parts. The invoice is frozen until the end of {freeze_ends}. After that it is marked overdue and reminders are sent, even without a decision.',
    path: '/plan-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: PLAN_REQUEST_REVIEWERS,
    facts: PENDING_PLAN_FACTS,
  },
  plan_freeze_over: {
    event: 'request_decided',
    who: 'The member who is to pay, the person who made the request, and the reviewers',
    subject: 'plan_request',
    cause: 'over',
    title: 'The installment request was not decided in time',
    body: 'The request that {payer} may pay "{description}" in installments was not decided in time. The invoice is due again. The request is still pending.',
    path: '/plan-requests/{subject}',
    action: null,
    needsAccess: true,
    recipients: `${planParties('s.subject_id')}
      UNION ${PLAN_REQUEST_REVIEWERS}`,
    facts: planRequestWhile(
      `r.status = 'pending' AND (${IS_PLAN_PARTY}
        OR n.recipient_id IN (${PLAN_REVIEWERS} AND r.organization_id = n.organization_id AND r.id = n.subject_id))`,
    ),
    unknownMail: 'never',
  },
  plan_decided: {
    event: 'request_decided',
    who: 'The member who is to pay, and the person who made the request',
    subject: 'plan_request',
    cause: 'decided',
    title: 'Installments: {decision}',
    body: 'The request that {payer} may pay "{description}" in installments: {decision}.{notes}',
    path: '/plan-requests/{subject}',
    action: null,
    needsAccess: true,
    recipients: planParties('s.subject_id'),
    facts: planRequestWhile(`r.status IN ('approved', 'refused', 'lapsed') AND ${IS_PLAN_PARTY}`),
    unknownMail: 'again',
  },
  plan_cancelled: {
    event: 'payment_updated',
    who: 'The member who pays, and the person who made the request',
    subject: 'payment_plan',
    cause: 'cancelled',
    title: 'A payment plan has ended',
    body: '"{description}" is no longer paid in installments{reason}.{left}',
    path: '/payment-plans/{subject}',
    action: null,
    needsAccess: true,
    recipients: planParties(
      '(SELECT p.request_id FROM payment_plans p WHERE p.organization_id = s.organization_id AND p.id = s.subject_id)',
    ),
    // The cancel reason may name an amount, so only the member reads it.
    facts: `SELECT jsonb_build_object('office_of', ${OFFICE_OF_PLAN}, 'description', i.description,
             'reason', CASE WHEN m.user_id = n.recipient_id THEN ': ' || rtrim(p.cancel_reason, '. ') END,
             'left', CASE WHEN i.status = 'void' THEN ' The invoice is void: nothing is due on it.'
                          WHEN i.balance_due_cents > 0 THEN to_char(i.due_date, '" The balance is due on "YYYY-MM-DD"."') END)
      FROM payment_plans p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
      JOIN payment_plan_requests r ON r.organization_id = p.organization_id AND r.id = p.request_id
      JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
     WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND p.status = 'cancelled'
       AND ${IS_PLAN_PARTY}`,
    unknownMail: 'never',
  },
  credit_short: {
    ...adminType,
    subject: 'credit',
    cause: 'short',
    title: 'Refunded credit was already spent',
    body: 'A refund could not take back all of the credit of {payer}, because it was spent: {amount} is missing.',
    path: '/credit-shortfalls',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'payer', coalesce(u.first_name || ' ' || u.last_name, ch.name), 'amount',
        app.money_fact(c.amount_cents, coalesce((SELECT currency FROM org_dues_settings o WHERE o.organization_id = c.organization_id), 'usd'),
          p_without => 'an amount'))
      FROM chapter_account_credits c JOIN chapters ch ON ch.organization_id = c.organization_id AND ch.id = c.chapter_id
      LEFT JOIN memberships m ON m.organization_id = c.organization_id AND m.id = c.membership_id LEFT JOIN users u ON u.id = m.user_id
     WHERE c.organization_id = n.organization_id AND c.id = n.subject_id AND c.kind = 'shortfall' AND ${IS_ADMIN}`,
  },
  credit_left: {
    ...adminType,
    subject: 'terminal_settlement',
    cause: 'left',
    title: 'Credit of a member who has left',
    body: '{amount} of {payer} came from no charge, or the refund to the charge failed. Refund it by hand.',
    path: '/credit',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'payer', u.first_name || ' ' || u.last_name, 'amount',
        app.money_fact(app.credit_held(s.chapter_id, s.membership_id),
          coalesce((SELECT currency FROM org_dues_settings o WHERE o.organization_id = s.organization_id), 'usd'), p_without => 'An amount'))
      FROM terminal_settlements s JOIN memberships m ON m.organization_id = s.organization_id AND m.id = s.membership_id
      JOIN users u ON u.id = m.user_id
     WHERE s.organization_id = n.organization_id AND s.id = n.subject_id AND s.status = 'kept' AND ${IS_ADMIN}`,
  },
  dues_run_ended: {
    // The person who started the run requested the invoices, so this is a decided request for them.
    event: 'request_decided',
    who: 'The person who started the run; all administrators where the run stopped because that person lost the right',
    subject: 'dues_run',
    cause: 'ended',
    title: 'Dues of {term}: {status}',
    body: 'Invoices issued: {issued} of {planned}.',
    path: '/dues-runs/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'term', t.name, 'status', CASE r.status WHEN 'stopped_right_lost'
        THEN 'stopped, because its starter is no longer an administrator' ELSE r.status END, 'issued', r.invoices_issued, 'planned', r.invoices_planned)
      FROM dues_runs r JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
     WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.status <> 'running' AND ${IS_ADMIN}`,
    recipients: `SELECT who.user_id FROM dues_runs r CROSS JOIN LATERAL (
        SELECT r.started_by AS user_id WHERE r.status <> 'stopped_right_lost'
        UNION ALL SELECT a.user_id FROM app.active_admins(r.organization_id) a WHERE r.status = 'stopped_right_lost') who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    unknownMail: 'again',
  },
});
