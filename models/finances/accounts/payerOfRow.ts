/** Reads the payer to whom a finance row belongs. Permission checks need its chapter or member. */
import { currentOrganization, firstRow } from '../../database/rows.js';

export interface PayerOfRow {
  chapter_id: string;
  /** The member who pays; null if the chapter itself pays. */
  membership_id: string | null;
}

const payerByInvoice = (table: string): string => `SELECT i.chapter_id, i.membership_id FROM ${table} r
  JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
 WHERE r.organization_id = $1 AND r.id = $2`;
const payerByColumns = (table: string): string =>
  `SELECT r.chapter_id, r.membership_id FROM ${table} r WHERE r.organization_id = $1 AND r.id = $2`;

const SQL = {
  invoice: payerByColumns('chapter_invoices'),
  payment: payerByInvoice('payment_records'),
  payment_reminder: payerByColumns('payment_reminders'),
  payment_plan: payerByColumns('payment_plans'),
  credit: payerByColumns('chapter_account_credits'),
  terminal_settlement: payerByColumns('terminal_settlements'),
};

/** Reads the payer of a row; null if the tenant has no row with this id. */
export const readPayerOfRow = (kind: keyof typeof SQL, id: string): Promise<PayerOfRow | null> =>
  firstRow<PayerOfRow>(SQL[kind], [currentOrganization(), id]);
