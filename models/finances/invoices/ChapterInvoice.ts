import { cents, day, link, moment, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const INVOICE_STATUSES = ['open', 'overdue', 'partially_paid', 'paid', 'void'] as const;
export const PAYER_TYPES = ['chapter', 'member'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
export type PayerType = (typeof PAYER_TYPES)[number];

/**
 * An invoice of a chapter or a member. Postgres derives its amounts and status from its lines, discounts, payments and
 * credit (`recompute_invoices`). Invoices are issued by set-based SQL.
 */
export class ChapterInvoice extends defineModel({
  table: 'chapter_invoices',
  columns: {
    ...tenantKeys,
    chapter_id: link(),
    term_id: link().nullable(),
    dues_run_id: link().nullable(),
    replaces: link().nullable(),
    payer_type: oneOf(PAYER_TYPES),
    membership_id: link().nullable(),
    payer_name: text(200).nullable(),
    is_recurring: yesOrNo().default(false),
    description: text(300),
    currency: text(3).default('usd'),
    issue_date: day(),
    due_date: day(),
    original_due_date: day().nullable(),
    reopened_at: moment().nullable(),
    status: oneOf(INVOICE_STATUSES).default('open'),
    total_cents: cents(0).default(0),
    discount_cents: cents(0).default(0),
    credit_cents: cents(0).default(0),
    paid_cents: cents(0).default(0),
    overpaid_cents: cents(0).default(0),
    balance_due_cents: cents(0).default(0),
    overdue_at: moment().nullable(),
    paid_at: moment().nullable(),
    voided_at: moment().nullable(),
    void_reason: text(500).nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
  triggers: {
    invoices_close_pages: ['payment_attempts', 'starts hostedPage'],
    invoices_follow_plans: ['chapter_invoices', 'payment_plan_requests', 'payment_plans', 'starts planFreeze'],
    invoices_resolve_settled: ['notifications'],
  },
}) {}
