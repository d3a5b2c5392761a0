import { firstJson } from '../../database/rows.js';
import type { PaymentMethod } from '../adjustments/payByHand.js';
import type { CreditEntry } from '../credit/readCredit.js';
import { isBeingRefundedSql, refundablePaymentsSql } from '../refunds/refundableSql.js';
import { COLUMNS, type InvoiceRow, PAYER } from './invoice.js';

export interface InvoiceHistory {
  refundable_cents: number;
  void_reason: string | null;
  replaces: string | null;
  replaced_by: string | null;
  lines: {
    id: string;
    membership: string | null;
    description: string;
    is_fee: boolean;
    quantity: number;
    unit_amount_cents: number | null;
    amount_cents: number | null;
  }[];
  payments: {
    id: string;
    status: 'pending' | 'failed' | 'succeeded';
    amount_cents: number | null;
    refunded_cents: number | null;
    processor_payment_id: string;
    remittance: string | null;
    failure_code: string | null;
    method: PaymentMethod | null;
    reference: string | null;
    received_on: string | null;
    paid_at: string | null;
    created_at: string;
  }[];
  discounts: {
    id: string;
    amount_cents: number | null;
    category: string | null;
    reason: string | null;
    voided_at: string | null;
    created_at: string;
  }[];
  credits: {
    id: string;
    kind: CreditEntry['kind'];
    amount_cents: number | null;
    reverses: string | null;
    reason: string | null;
    created_at: string;
  }[];
}

/** Facts that decide which actions are possible. They are not shown. */
export interface ActionFacts {
  is_being_refunded: boolean;
  payer_credit_cents: number;
}

export type InvoiceDetail = InvoiceRow & InvoiceHistory & ActionFacts;

const history = (table: string, columns: string): string =>
  `(SELECT coalesce(json_agg(x ORDER BY x.id), '[]') FROM (SELECT ${columns} FROM ${table} h
     WHERE h.organization_id = i.organization_id AND h.invoice_id = i.id) x)`;

const HISTORY = `i.void_reason, i.replaces,
  (SELECT r.id FROM chapter_invoices r WHERE r.organization_id = i.organization_id AND r.replaces = i.id) AS replaced_by,
  ${history('invoice_line_items', 'id, membership_id AS membership, description, is_fee, quantity, unit_amount_cents, amount_cents')} AS lines,
  ${history('payment_records', 'id, status, amount_cents, refunded_cents, processor_payment_id, remittance_id AS remittance, failure_code, method, reference, received_on, paid_at, created_at')} AS payments,
  ${history('invoice_discounts', 'id, amount_cents, category, reason, voided_at, created_at')} AS discounts,
  ${history('chapter_account_credits', 'id, kind, amount_cents, reverses, reason, created_at')} AS credits`;

const FACTS = `(SELECT coalesce(sum(cents), 0) FROM (${refundablePaymentsSql('i.organization_id', 'i.id')}) refundable) AS refundable_cents,
  ${isBeingRefundedSql('i.organization_id', 'i.id')} AS is_being_refunded,
  app.credit_balance(i.chapter_id, i.membership_id) AS payer_credit_cents`;

/** Reads an invoice with its lines and its history, in one statement; null when this tenant has no such invoice. */
export async function readInvoice(id: string): Promise<InvoiceDetail | null> {
  const row = await firstJson<InvoiceDetail>(
    `SELECT ${COLUMNS}, ${HISTORY}, ${FACTS} FROM chapter_invoices i ${PAYER}
      WHERE i.organization_id = (SELECT app.org_id()) AND i.id = $1`,
    [id],
  );
  return row;
}
