/** What finances tell people of. Billing reaches its payer whether they have access or not. */
import { defineNotifications } from '../notifications/types.js';
import {
  ACTIVE_ADMINS,
  AMOUNTS_OF_CHAPTER,
  HOLDS_OFFICE,
  IS_ADMIN,
  PAYER_IN_WORDS,
  payerOf,
  SEES_INVOICE,
  WHO_RESOLVES,
} from './concerned.js';
import { DAY_OF_INVOICE } from './overdue/localDay.js';
import { INSTALMENT, mayBeAsked } from './reminders/due.js';
import { STATUS_SQL } from './remittances/remittance.js';

/** SQL of a fact with an amount in cents, only where the recipient sees amounts. */
const amount = (before: string, cents: string, currency: string, after = ''): string =>
  `CASE WHEN sees.amounts THEN app.money_fact(${cents}, ${currency}, '${before}', '${after}') END`;

/** SQL of facts, for `jsonb_build_object`: what is left to pay of invoice `i`, and until when where the due date has moved. */
const LEFT = `
           'left', CASE WHEN i.balance_due_cents = 0 THEN to_jsonb(' Nothing more is due.'::text)
             ELSE ${amount(' ', 'i.balance_due_cents', 'i.currency', ' is still due.')} END,
           'moved', CASE WHEN i.balance_due_cents > 0 AND i.reopened_at IS NOT NULL
             THEN to_char(i.due_date, '" The new due date is "YYYY-MM-DD"."') END`;

/** Facts of the invoice that is the subject, while `condition` holds. */
const invoiceWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'due_date', to_char(i.due_date, 'YYYY-MM-DD'),
           'instalment', ${INSTALMENT},
           'amount', ${amount(' ', 'i.balance_due_cents', 'i.currency', ' is due.')},${LEFT})
    FROM chapter_invoices i CROSS JOIN LATERAL ${SEES_INVOICE} sees
   WHERE i.organization_id = n.organization_id AND i.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** Facts of the payment that is the subject, while `condition` holds; its invoice goes by `i`. */
const paymentWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'invoice', i.id,
           'amount', ${amount(' of ', 'p.amount_cents', 'i.currency')},
           'given_back', ${amount(' In all it is ', 'p.refunded_cents', 'i.currency', '.')},${LEFT})
    FROM payment_records p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
   CROSS JOIN LATERAL ${SEES_INVOICE} sees
   WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** Facts of the remittance that is the subject, while `condition` holds. */
const remittanceWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', sees.office_of,
           'invoices', (SELECT count(*) FROM chapter_remittance_allocations a
                         WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id),
           'amount', ${amount(' of ', 'r.total_cents', 'r.currency')},
           'waiting', ${amount(' of ', 'r.reconciliation_amount_cents', 'r.currency')})
    FROM chapter_remittances r CROSS JOIN LATERAL ${AMOUNTS_OF_CHAPTER('r.organization_id', 'r.chapter_id')} sees
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

/** Facts of the capture that is the subject, for administrators, while `condition` holds. */
const captureWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label,
           'amount', app.money_fact(c.amount_cents - c.refunded_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
    FROM processor_captures c
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE c.organization_id = n.organization_id AND c.id = n.subject_id AND ${IS_ADMIN} AND ${condition}`;

/** Facts of the dispute that is the subject, for administrators, while `condition` holds. */
const disputeWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'decision', d.status,
           'amount', app.money_fact(d.amount_cents, d.currency, p_without => 'an amount'),
           'until', to_char(d.evidence_due_at AT TIME ZONE 'UTC', '" Evidence counts until "YYYY-MM-DD"; it is sent at the provider."'))
    FROM payment_disputes d
    JOIN processor_captures c ON c.organization_id = d.organization_id AND c.id = d.capture_id
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE d.organization_id = n.organization_id AND d.id = n.subject_id AND ${IS_ADMIN} AND ${condition}`;

/**
 * Facts of the refund request that is the subject, while `condition` holds. An amount that was not named, or that the
 * recipient does not see, is not told; nor are notes that may name it.
 * @param office SQL of the chapter or the organization through whose office it is seen
 */
const refundRequestWhile = (condition: string, office: string): string => `
  SELECT jsonb_build_object('office_of', ${office}, 'description', i.description, 'payer', coalesce(i.payer_name, p.first_name || ' ' || p.last_name, ch.name),
           'officer', o.first_name || ' ' || o.last_name, 'decision', r.status,
           'amount', ${amount(' ', 'r.amount_cents', 'i.currency')},
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

/** SQL: whether the recipient is the member `m` of the request `r`, or has asked and still holds an office for that. */
const WANTS_PLAN = `(m.user_id = n.recipient_id
  OR r.requested_by = n.recipient_id AND ${HOLDS_OFFICE('r.organization_id', 'r.chapter_id')})`;

/** SQL of the chapter through whose office the recipient sees the request `r`, unless they are its member `m`. */
const OFFICE_OF_PLAN = 'CASE WHEN m.user_id <> n.recipient_id THEN r.chapter_id END';

/** Facts of the request for instalments that is the subject, while `condition` holds. No amounts. */
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

/** SQL of whoever asked for instalments in the request `id`, and of the member who is to pay: of them, whose account stands. */
const whoWantsPlans = (id: string): string => `SELECT u.id AS user_id FROM payment_plan_requests r
       JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
       JOIN users u ON u.id IN (r.requested_by, m.user_id) AND u.disabled_at IS NULL
      WHERE r.organization_id = s.organization_id AND r.id = ${id}`;

/** SQL of who decides on a request `r` for instalments: never the member concerned. */
const WHO_REVIEWS_PLANS = `SELECT w.user_id FROM payment_plan_requests r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
   CROSS JOIN LATERAL (SELECT a.user_id FROM app.active_admins(r.organization_id) a
     UNION SELECT v.user_id FROM region_reviewers v JOIN org_dues_settings s ON s.organization_id = v.organization_id AND s.plan_regional_approval
            WHERE v.organization_id = r.organization_id AND v.chapter_id = r.chapter_id) w
   WHERE w.user_id <> m.user_id`;

const REVIEWERS_OF_PLAN = `${WHO_REVIEWS_PLANS} AND r.organization_id = s.organization_id AND r.id = s.subject_id`;
const PLAN_WAITS_FOR_REVIEWER = planRequestWhile(
  `r.status = 'pending' AND n.recipient_id IN (${WHO_REVIEWS_PLANS} AND r.organization_id = n.organization_id AND r.id = n.subject_id)`,
);

const invoice = {
  who: PAYER_IN_WORDS,
  subject: 'invoice',
  path: '/invoices/{subject}',
  needsAccess: false,
  recipients: payerOf(`FROM chapter_invoices i WHERE i.organization_id = s.organization_id AND i.id = s.subject_id`),
  unknownMail: 'never',
} as const;

const payment = {
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

/** Who drew it up, and who asked for its payment last, while they hold an office for that; else who answers for the chapter. */
const WHO_PAYS = `
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

const remittance = {
  who: 'Who drew the remittance up, and who asked for its payment; where neither has an office any more, the chapter’s treasurer, else its president, else an administrator',
  event: 'payment_updated',
  subject: 'remittance',
  path: '/remittances/{subject}',
  action: null,
  needsAccess: true,
  recipients: WHO_PAYS,
  unknownMail: 'never',
} as const;

const forAdmins = {
  who: 'The organization’s administrators',
  event: 'payment_updated',
  action: null,
  needsAccess: true,
  recipients: ACTIVE_ADMINS,
  unknownMail: 'never',
} as const;

export const told = defineNotifications({
  invoice_issued: {
    ...invoice,
    event: 'invoice_issued',
    cause: 'issued',
    title: 'New invoice: {description}',
    body: '"{description}" is due on {due_date}.{amount}',
    action: 'See and pay',
    facts: invoiceWhile(`i.status <> 'void'`),
  },
  invoice_due_soon: {
    ...invoice,
    event: 'invoice_due_soon',
    cause: 'due_soon',
    title: 'Due soon: {description}',
    body: '"{description}"{instalment} is due on {due_date} and is not paid in full yet.{amount}',
    action: 'See and pay',
    facts: invoiceWhile(mayBeAsked(DAY_OF_INVOICE)),
  },
  invoice_overdue: {
    ...invoice,
    event: 'invoice_overdue',
    cause: 'overdue',
    title: 'Overdue: {description}',
    body: '"{description}"{instalment} was due on {due_date} and is not paid in full yet.{amount} If you have paid in the meantime, thank you; there is nothing more to do.',
    action: 'See and pay',
    facts: invoiceWhile(`(i.status = 'overdue' OR i.due_date < ${DAY_OF_INVOICE}) AND ${mayBeAsked(DAY_OF_INVOICE)}`),
  },
  invoice_changed: {
    ...invoice,
    event: 'payment_updated',
    cause: 'changed',
    title: 'Changed: {description}',
    body: 'What is due for "{description}" has changed.{left}{moved}',
    action: 'See what changed',
    facts: invoiceWhile(`i.status <> 'void'`),
  },
  payment_recorded: {
    ...payment,
    cause: 'recorded',
    title: 'Payment received: {description}',
    body: 'A payment{amount} for "{description}" is recorded.{left}{moved}',
    facts: paymentWhile(`p.status = 'succeeded'`),
  },
  payment_failed: {
    ...payment,
    cause: 'failed',
    title: 'Payment failed: {description}',
    body: 'A payment{amount} for "{description}" did not go through. Nothing was taken.{left}{moved}',
    facts: paymentWhile(`p.status = 'failed'`),
  },
  payment_refunded: {
    ...payment,
    cause: 'refunded',
    title: 'Given back: {description}',
    body: 'Of what was paid for "{description}", money was given back.{given_back}{left}{moved}',
    facts: paymentWhile('p.refunded_cents > 0'),
  },
  payment_not_refunded: {
    ...payment,
    cause: 'not_refunded',
    title: 'Not given back: {description}',
    body: 'Money that was to be given back for "{description}" did not arrive, and counts as paid again.{left}{moved}',
    facts: paymentWhile('p.refund_failed_cents > 0'),
  },
  payment_disputed: {
    ...payment,
    cause: 'disputed',
    title: 'Disputed: {description}',
    body: 'A payment{amount} for "{description}" was disputed with the bank, which has taken the money back.{left}{moved}',
    facts: paymentWhile('p.refunded_cents > 0'),
  },
  payment_reinstated: {
    ...payment,
    cause: 'reinstated',
    title: 'Paid again: {description}',
    body: 'The bank has returned disputed money for "{description}", which counts as paid again.{left}{moved}',
    facts: paymentWhile('p.refund_failed_cents > 0'),
  },
  remittance_settled: {
    ...remittance,
    cause: 'settled',
    title: 'Remittance settled',
    body: 'A remittance{amount} is settled. Invoices that are paid with it: {invoices}.',
    facts: remittanceWhile('r.settled_at IS NOT NULL'),
  },
  remittance_failed: {
    ...remittance,
    cause: 'failed',
    title: 'Payment of a remittance failed',
    body: 'The payment of a remittance{amount} did not go through. Nobody was credited; it can be tried again.',
    facts: remittanceWhile('r.settled_at IS NULL'),
  },
  remittance_flagged: {
    ...remittance,
    cause: 'flagged',
    title: 'A remittance is to be resolved',
    body: 'A charge{waiting} was taken and credited to nobody. Say which invoices it pays.',
    action: 'Resolve',
    who: 'The chapter’s officers and its president; where it has none, the organization’s administrators',
    recipients: WHO_RESOLVES,
    facts: remittanceWhile(`(${STATUS_SQL}) = 'needs_reconciliation'`),
  },
  payment_unmatched: {
    ...forAdmins,
    subject: 'capture',
    cause: 'stray',
    title: 'A payment that is for nothing here',
    body: '{amount} came through "{processor}" for nothing that is here. Give it back, or keep it as somebody’s credit.',
    path: '/unmatched-payments/{subject}',
    action: 'Decide',
    facts: captureWhile(`c.remittance_id IS NULL AND c.invoice_id IS NULL AND c.disposition = 'flagged'`),
  },
  refund_failed: {
    ...forAdmins,
    subject: 'capture',
    cause: 'refund_failed',
    title: 'A refund did not arrive',
    body: 'A refund through "{processor}" was refused or did not arrive: the money is in your account. What was for nothing is among the unmatched payments, for another decision.',
    path: '/unmatched-payments/{subject}',
    facts: captureWhile('true'),
    mailedAsAccountNotice: true,
  },
  money_case_opened: {
    ...forAdmins,
    subject: 'money_case',
    cause: 'opened',
    title: 'Money went back of a charge, and nobody knows whose',
    body: '{amount} of a charge through "{processor}" that paid several invoices went back without a word from you. Say which of them it was of.',
    path: '/money-cases/{subject}',
    action: 'Decide',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'amount',
        app.money_fact(k.amount_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
      FROM money_cases k JOIN processor_captures c ON c.organization_id = k.organization_id AND c.id = k.capture_id
      JOIN org_payment_processors p ON p.organization_id = k.organization_id AND p.id = k.processor_id
     WHERE k.organization_id = n.organization_id AND k.id = n.subject_id AND k.status = 'open' AND ${IS_ADMIN}`,
  },
  reconciliation_differs: {
    ...forAdmins,
    subject: 'reconciliation',
    cause: 'compared',
    title: 'Our books and "{processor}" do not agree',
    body: 'Charges of which "{processor}" and our books say different things: {cases}. Each is a case, with what to do.',
    path: '/money-cases',
    action: 'See the cases',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'processor', p.label, 'cases', r.cases_opened)
      FROM reconciliations r JOIN org_payment_processors p ON p.organization_id = r.organization_id AND p.id = r.processor_id
     WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.cases_opened > 0 AND ${IS_ADMIN}`,
  },
  dispute_opened: {
    ...forAdmins,
    subject: 'dispute',
    cause: 'opened',
    title: 'A payment is disputed',
    body: 'A payer disputes {amount} that came through "{processor}".{until}',
    path: '/disputes/{subject}',
    action: 'Send evidence',
    facts: disputeWhile('true'),
  },
  dispute_evidence_due: {
    ...forAdmins,
    subject: 'dispute',
    cause: 'evidence_due',
    title: 'Evidence for a dispute is due soon',
    body: 'A payer disputes {amount} that came through "{processor}".{until}',
    path: '/disputes/{subject}',
    action: 'Send evidence',
    facts: disputeWhile(`d.status = 'open' AND d.evidence_due_at > now()`),
  },
  dispute_decided: {
    ...forAdmins,
    subject: 'dispute',
    cause: 'decided',
    title: 'A dispute is decided: {decision}',
    body: 'The dispute of {amount} that came through "{processor}" is {decision}.',
    path: '/disputes/{subject}',
    facts: disputeWhile(`d.status <> 'open'`),
  },
  refund_requested: {
    ...forAdmins,
    event: 'approval_requested',
    who: 'The organization’s administrators; never whoever asked',
    subject: 'refund_request',
    cause: 'requested',
    title: 'A refund waits for your decision',
    body: '{officer} asks to give back{amount} of "{description}" to {payer}.',
    path: '/refund-requests/{subject}',
    action: 'Decide',
    unknownMail: 'again',
    recipients: `SELECT a.user_id FROM refund_requests r CROSS JOIN LATERAL app.active_admins(r.organization_id) a
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id AND a.user_id <> r.requested_by`,
    facts: refundRequestWhile(`r.status = 'pending' AND ${IS_ADMIN}`, 'n.organization_id'),
  },
  refund_decided: {
    event: 'request_decided',
    who: 'The officer who asked',
    subject: 'refund_request',
    cause: 'decided',
    title: 'Your request for a refund: {decision}',
    body: 'You asked to give back{amount} of "{description}" to {payer}. Your request: {decision}.{notes}',
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
    title: 'Instalments wait for your decision',
    body: '{by} asks to let {payer} pay "{description}" in {rows} parts.',
    path: '/plan-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: REVIEWERS_OF_PLAN,
    facts: PLAN_WAITS_FOR_REVIEWER,
  },
  plan_freeze_ends_soon: {
    event: 'approval_requested',
    who: 'Those who decide on instalments: the organization’s administrators, and those of the region where they decide; never the member concerned',
    subject: 'plan_request',
    cause: 'reminded',
    title: 'Decide on instalments: the freeze of an invoice ends soon',
    body: '{by} asks to let {payer} pay "{description}" in {rows} parts. The invoice is frozen until the end of {freeze_ends}. After that it is marked overdue and reminders are sent, even if nobody has decided.',
    path: '/plan-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: REVIEWERS_OF_PLAN,
    facts: PLAN_WAITS_FOR_REVIEWER,
  },
  plan_freeze_over: {
    event: 'request_decided',
    who: 'The member who is to pay, whoever asked, and those who have not decided',
    subject: 'plan_request',
    cause: 'over',
    title: 'Nobody has decided on the instalments',
    body: 'To pay "{description}" by instalments was asked for {payer}, and nobody has decided in time: what is due is due again. The request still waits.',
    path: '/plan-requests/{subject}',
    action: null,
    needsAccess: true,
    recipients: `${whoWantsPlans('s.subject_id')}
      UNION ${REVIEWERS_OF_PLAN}`,
    facts: planRequestWhile(
      `r.status = 'pending' AND (${WANTS_PLAN}
        OR n.recipient_id IN (${WHO_REVIEWS_PLANS} AND r.organization_id = n.organization_id AND r.id = n.subject_id))`,
    ),
    unknownMail: 'never',
  },
  plan_decided: {
    event: 'request_decided',
    who: 'The member who is to pay, and whoever asked',
    subject: 'plan_request',
    cause: 'decided',
    title: 'Instalments: {decision}',
    body: 'To pay "{description}" by instalments was asked for {payer}. The request: {decision}.{notes}',
    path: '/plan-requests/{subject}',
    action: null,
    needsAccess: true,
    recipients: whoWantsPlans('s.subject_id'),
    facts: planRequestWhile(`r.status IN ('approved', 'refused', 'lapsed') AND ${WANTS_PLAN}`),
    unknownMail: 'again',
  },
  plan_cancelled: {
    event: 'payment_updated',
    who: 'The member who pays, and whoever asked',
    subject: 'payment_plan',
    cause: 'cancelled',
    title: 'Instalments have ended',
    body: '"{description}" is not paid by instalments any more{reason}.{left}',
    path: '/payment-plans/{subject}',
    action: null,
    needsAccess: true,
    recipients: whoWantsPlans(
      '(SELECT p.request_id FROM payment_plans p WHERE p.organization_id = s.organization_id AND p.id = s.subject_id)',
    ),
    // why may name an amount: the member alone reads it
    facts: `SELECT jsonb_build_object('office_of', ${OFFICE_OF_PLAN}, 'description', i.description,
             'reason', CASE WHEN m.user_id = n.recipient_id THEN ': ' || rtrim(p.cancel_reason, '. ') END,
             'left', CASE WHEN i.status = 'void' THEN ' The invoice is void: nothing is due on it.'
                          WHEN i.balance_due_cents > 0 THEN to_char(i.due_date, '" What is left is due on "YYYY-MM-DD"."') END)
      FROM payment_plans p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
      JOIN payment_plan_requests r ON r.organization_id = p.organization_id AND r.id = p.request_id
      JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
     WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND p.status = 'cancelled'
       AND ${WANTS_PLAN}`,
    unknownMail: 'never',
  },
  credit_short: {
    ...forAdmins,
    subject: 'credit',
    cause: 'short',
    title: 'A refund had been spent already',
    body: 'What a refund should have taken back from {payer} was spent for good: {amount} is missing.',
    path: '/credit-shortfalls',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'payer', coalesce(u.first_name || ' ' || u.last_name, ch.name), 'amount',
        app.money_fact(c.amount_cents, coalesce((SELECT currency FROM org_dues_settings o WHERE o.organization_id = c.organization_id), 'usd'),
          p_without => 'an amount'))
      FROM chapter_account_credits c JOIN chapters ch ON ch.organization_id = c.organization_id AND ch.id = c.chapter_id
      LEFT JOIN memberships m ON m.organization_id = c.organization_id AND m.id = c.membership_id LEFT JOIN users u ON u.id = m.user_id
     WHERE c.organization_id = n.organization_id AND c.id = n.subject_id AND c.kind = 'shortfall' AND ${IS_ADMIN}`,
  },
  credit_left: {
    ...forAdmins,
    subject: 'terminal_settlement',
    cause: 'left',
    title: 'Credit of a member who has left',
    body: '{amount} of {payer} came by no charge, or could not be given back on it. Give it back by hand.',
    path: '/credit',
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'payer', u.first_name || ' ' || u.last_name, 'amount',
        app.money_fact(app.credit_held(s.chapter_id, s.membership_id),
          coalesce((SELECT currency FROM org_dues_settings o WHERE o.organization_id = s.organization_id), 'usd'), p_without => 'An amount'))
      FROM terminal_settlements s JOIN memberships m ON m.organization_id = s.organization_id AND m.id = s.membership_id
      JOIN users u ON u.id = m.user_id
     WHERE s.organization_id = n.organization_id AND s.id = n.subject_id AND s.status = 'kept' AND ${IS_ADMIN}`,
  },
  dues_run_ended: {
    // Whoever started it has asked for invoices, and hears what became of that.
    event: 'request_decided',
    who: 'Who started the run; every administrator where it stopped since that person lost the right',
    subject: 'dues_run',
    cause: 'ended',
    title: 'Dues of {term}: {status}',
    body: 'Invoices issued: {issued} of {planned}.',
    path: '/dues-runs/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'term', t.name, 'status', CASE r.status WHEN 'stopped_right_lost'
        THEN 'stopped, since who started it is no administrator any more' ELSE r.status END, 'issued', r.invoices_issued, 'planned', r.invoices_planned)
      FROM dues_runs r JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
     WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.status <> 'running' AND ${IS_ADMIN}`,
    recipients: `SELECT who.user_id FROM dues_runs r CROSS JOIN LATERAL (
        SELECT r.started_by AS user_id WHERE r.status <> 'stopped_right_lost'
        UNION ALL SELECT a.user_id FROM app.active_admins(r.organization_id) a WHERE r.status = 'stopped_right_lost') who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    unknownMail: 'again',
  },
});
