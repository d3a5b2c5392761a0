/** Whose account a row of money is about, for rules that ask for a chapter or a member. */
import { currentOrganization, firstRow } from '../../database/rows.js';

export interface PayerOfRow {
  chapter_id: string;
  /** Null where the chapter itself pays. */
  membership_id: string | null;
}

const OF_INVOICE = (of: string): string => `SELECT i.chapter_id, i.membership_id FROM ${of} r
  JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
 WHERE r.organization_id = $1 AND r.id = $2`;
const OF_ROW = (of: string): string =>
  `SELECT r.chapter_id, r.membership_id FROM ${of} r WHERE r.organization_id = $1 AND r.id = $2`;

const SQL = {
  invoice: OF_ROW('chapter_invoices'),
  payment: OF_INVOICE('payment_records'),
  payment_reminder: OF_ROW('payment_reminders'),
  payment_plan: OF_ROW('payment_plans'),
  credit: OF_ROW('chapter_account_credits'),
  terminal_settlement: OF_ROW('terminal_settlements'),
};

/** @returns null for an id that the tenant does not have */
export const payerOfRow = (kind: keyof typeof SQL, id: string): Promise<PayerOfRow | null> =>
  firstRow<PayerOfRow>(SQL[kind], [currentOrganization(), id]);
