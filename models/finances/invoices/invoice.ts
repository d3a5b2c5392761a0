/** Types and SQL columns for reading invoices. */

import type { InvoiceStatus, PayerType } from './ChapterInvoice.js';

export interface InvoiceSummary {
  id: string;
  chapter: string;
  payer_type: PayerType;
  membership: string | null;
  payer_name: string;
  term: string | null;
  status: InvoiceStatus;
  description: string;
  is_recurring: boolean;
  currency: string;
  issue_date: string;
  due_date: string;
  original_due_date: string;
  is_past_due: boolean;
  total_cents: number | null;
  discount_cents: number | null;
  credit_cents: number | null;
  paid_cents: number | null;
  overpaid_cents: number | null;
  balance_due_cents: number | null;
  payment_in_progress: boolean;
  overdue_at: string | null;
  paid_at: string | null;
  voided_at: string | null;
  created_at: string;
}

/** An invoice as read, with the organization's setting that decides whether officers see amounts. */
export type InvoiceRow = InvoiceSummary & { officers_see_amounts: boolean };

/** SQL: whether a pending charge reserves an invoice. */
export const isBeingPaidSql = (organization: string, invoice: string): string =>
  `EXISTS (SELECT 1 FROM chapter_remittance_allocations a WHERE a.organization_id = ${organization}
           AND a.invoice_id = ${invoice} AND a.reserved_by_attempt_id IS NOT NULL)`;

/** SQL of the columns of an InvoiceSummary, over `chapter_invoices i` joined with `PAYER`. */
export const SUMMARY = `i.id, i.chapter_id AS chapter, i.payer_type, i.membership_id AS membership,
  coalesce(i.payer_name, u.first_name || ' ' || u.last_name, c.name) AS payer_name, i.term_id AS term, i.status, i.description,
  i.is_recurring, i.currency, i.issue_date, i.due_date,
  coalesce(i.original_due_date, i.due_date) AS original_due_date,
  i.balance_due_cents > 0 AND i.due_date < (SELECT app.today()) AS is_past_due, i.total_cents, i.discount_cents, i.credit_cents, i.paid_cents,
  i.overpaid_cents, i.balance_due_cents,
  ${isBeingPaidSql('i.organization_id', 'i.id')} AS payment_in_progress,
  i.overdue_at, i.paid_at, i.voided_at, i.created_at`;

/** SQL of the columns of an InvoiceRow. */
export const COLUMNS = `${SUMMARY},
  (SELECT app.officers_see_amounts(app.org_id())) AS officers_see_amounts`;

export const PAYER = `JOIN chapters c ON c.organization_id = i.organization_id AND c.id = i.chapter_id
  LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
  LEFT JOIN users u ON u.id = m.user_id`;
