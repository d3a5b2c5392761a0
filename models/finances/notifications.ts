/** What finances tell people of. Billing reaches its payer whether they have access or not. */
import { defineNotifications } from '../notifications/types.js';

/**
 * Who answers for an invoice `i`: its member; for a chapter its treasurer, else its president, else an admin of the organization.
 * Who has not accepted yet is told of what is billed to them, and of nothing that an office brings.
 */
const PAYER = `
  SELECT who.user_id FROM (
    SELECT m.user_id, 0 AS rank, m.id FROM memberships m
     WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
    UNION ALL
    SELECT m.user_id, CASE m.role WHEN 'officer' THEN 1 ELSE 2 END, m.id FROM memberships m
     WHERE i.payer_type = 'chapter' AND m.organization_id = i.organization_id AND m.chapter_id = i.chapter_id
       AND m.role IN ('officer', 'president') AND app.gives_access(m.status)
    UNION ALL
    SELECT a.user_id, 3, a.id FROM organization_admins a
     WHERE i.payer_type = 'chapter' AND a.organization_id = i.organization_id AND a.is_active) who
    JOIN users u ON u.id = who.user_id AND (u.placeholder_in IS NULL OR who.rank = 0)
   ORDER BY who.rank, who.id LIMIT 1`;

const PAYERS = `SELECT payer.user_id FROM chapter_invoices i CROSS JOIN LATERAL (${PAYER}) payer
  WHERE i.organization_id = s.organization_id AND i.id = s.subject_id`;

/** Whether the recipient answers for the invoice now, and sees amounts: theirs, or those of a chapter that officers may see. */
const SEES = `(SELECT CASE
    WHEN EXISTS (SELECT FROM memberships m WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
                  AND m.user_id = n.recipient_id) THEN true
    WHEN i.payer_type <> 'chapter' THEN NULL
    WHEN EXISTS (SELECT FROM organization_admins a WHERE a.organization_id = i.organization_id
                  AND a.user_id = n.recipient_id AND a.is_active) THEN true
    WHEN EXISTS (SELECT FROM memberships m WHERE m.organization_id = i.organization_id AND m.chapter_id = i.chapter_id
                  AND m.user_id = n.recipient_id AND m.role IN ('officer', 'president') AND app.gives_access(m.status))
      THEN coalesce((SELECT s.officers_see_amounts FROM org_dues_settings s WHERE s.organization_id = i.organization_id), true)
  END AS amounts)`;

/** Facts of the invoice that is the subject, while `condition` holds. */
const invoiceWhile = (condition: string): string => `
  SELECT jsonb_build_object('description', i.description, 'due_date', to_char(i.due_date, 'YYYY-MM-DD'),
           'amount', CASE WHEN sees.amounts THEN ' ' || app.money_text(i.balance_due_cents, i.currency) || ' is due.' END)
    FROM chapter_invoices i CROSS JOIN LATERAL ${SEES} sees
   WHERE i.organization_id = n.organization_id AND i.id = n.subject_id AND sees.amounts IS NOT NULL AND ${condition}`;

const LOCAL_DAY = `(SELECT app.local_day(o.timezone) FROM organizations o WHERE o.id = i.organization_id)`;

const invoice = {
  subject: 'invoice',
  path: '/invoices/{subject}',
  needsAccess: false,
  recipients: PAYERS,
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
  invoice_overdue: {
    ...invoice,
    event: 'invoice_overdue',
    cause: 'overdue',
    title: 'Overdue: {description}',
    body: '"{description}" was due on {due_date} and is not paid in full yet.{amount} If you have paid in the meantime, thank you; there is nothing more to do.',
    action: 'See and pay',
    facts: invoiceWhile(
      `i.status = 'overdue' AND i.balance_due_cents > 0 AND NOT app.invoice_is_frozen(i.organization_id, i.id, ${LOCAL_DAY})`,
    ),
  },
});
