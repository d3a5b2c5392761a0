import { z } from 'zod';
import { METHODS } from '../../../models/finances/adjustments/payByHand.js';
import { CREDIT_KINDS } from '../../../models/finances/credit/readCredit.js';
import { INVOICE_STATUSES, PAYER_TYPES } from '../../../models/finances/invoices/ChapterInvoice.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { day, inOrder, moment } from '../../../models/fields.js';
import { hiddenCents } from '../fields.js';
import { INVOICE_ACTIONS } from './actions.js';

const summary = {
  id: z.uuid(),
  chapter: z.uuid().meta({ description: 'The chapter in which the payer was billed. It stays when a member moves.' }),
  payer_type: z.enum(PAYER_TYPES),
  membership: z.uuid().nullable().meta({ description: 'The member who pays; null for the chapter’s own invoices.' }),
  payer_name: z.string(),
  term: z.uuid().nullable(),
  status: z.enum(INVOICE_STATUSES),
  description: z.string(),
  is_recurring: z.boolean(),
  currency: z.string(),
  issue_date: z.iso.date(),
  due_date: z.iso.date(),
  original_due_date: z.iso.date().meta({
    description:
      'The first due date. An invoice that is due again after it was paid is due a week later at the earliest.',
  }),
  is_past_due: z.boolean().meta({
    description:
      "The invoice has a balance, and its due date has passed in the organization's time zone. Only open invoices are also marked overdue.",
  }),
  total_cents: hiddenCents,
  discount_cents: hiddenCents,
  credit_cents: hiddenCents,
  paid_cents: hiddenCents,
  overpaid_cents: z.int().nullable().meta({ description: 'The part of the payments that became credit.' }),
  balance_due_cents: hiddenCents,
  payment_in_progress: z.boolean().meta({ description: 'The outcome of a remittance is pending.' }),
  overdue_at: moment.nullable(),
  paid_at: moment.nullable(),
  voided_at: moment.nullable(),
  created_at: moment,
};

export const InvoiceSummaryJson = z.object(summary).meta({ id: 'InvoiceSummary' });

export const InvoiceJson = z
  .object({
    ...summary,
    refundable_cents: z.int().nullable().meta({
      description: 'What can be refunded of its payments. Null where officers do not see amounts.',
    }),
    void_reason: z.string().nullable(),
    replaces: z.uuid().nullable().meta({ description: 'The invoice that was regenerated as this one.' }),
    replaced_by: z.uuid().nullable(),
    lines: z.array(
      z.object({
        id: z.uuid(),
        membership: z.uuid().nullable(),
        description: z.string(),
        is_fee: z.boolean(),
        quantity: z.int(),
        unit_amount_cents: hiddenCents,
        amount_cents: hiddenCents,
      }),
    ),
    payments: z.array(
      z.object({
        id: z.uuid(),
        status: z.enum(['pending', 'failed', 'succeeded']),
        amount_cents: hiddenCents,
        refunded_cents: hiddenCents,
        processor_payment_id: z.string(),
        remittance: z.uuid().nullable(),
        failure_code: z.string().nullable(),
        method: z.enum(METHODS).nullable().meta({ description: 'Method of a manual payment.' }),
        reference: z.string().nullable(),
        received_on: z.iso.date().nullable(),
        paid_at: moment.nullable(),
        created_at: moment,
      }),
    ),
    discounts: z.array(
      z.object({
        id: z.uuid(),
        amount_cents: hiddenCents,
        category: z.string().nullable().meta({ description: 'Null if the reader is an officer.' }),
        reason: z.string().nullable().meta({ description: 'Null if the reader is an officer.' }),
        voided_at: moment.nullable(),
        created_at: moment,
      }),
    ),
    credits: z
      .array(
        z.object({
          id: z.uuid(),
          kind: z.enum(CREDIT_KINDS),
          amount_cents: hiddenCents,
          reverses: z.uuid().nullable(),
          reason: z.string().nullable(),
          created_at: moment,
        }),
      )
      .meta({ description: 'Credit that was applied to this invoice, or that its payments became.' }),
    actions: z
      .array(
        z.object({
          action: z.enum(INVOICE_ACTIONS),
          why_not: z.object({ code: z.string(), detail: z.string() }).nullable().meta({
            description:
              'The refusal that its request would return for the present state of the invoice; null if there is none. A refund request of yours that waits, or the preview of a reissue, can still refuse.',
          }),
        }),
      )
      .meta({
        description:
          'What you may do with the invoice: `refund/`; `adjust/` with the kinds `credit`, `fee` and `waiver`; `regenerate/`; `void/`.',
      }),
  })
  .meta({ id: 'Invoice' });

const filters = {
  ...pageQuery,
  status: z.enum(INVOICE_STATUSES).optional(),
  term: z.uuid().optional(),
  membership: z.uuid().optional(),
  due_before: day.optional().meta({ description: 'Due earlier than this day.' }),
  due_after: day.optional().meta({ description: 'Due later than this day.' }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Searches the payer’s name and the description.' }),
  ordering: ordering(
    // Ordering by `created_at` sorts by id, because ids are ordered by time of creation.
    {
      due_date: 'i.due_date',
      created_at: 'i.id',
      balance_due_cents: 'i.balance_due_cents',
      total_cents: 'i.total_cents',
    },
    'due_date',
  ),
};

export const OrganizationInvoiceFilters = z
  .object({
    ...filters,
    chapter: z.uuid().optional(),
    payer_type: z.enum(PAYER_TYPES).optional(),
  })
  .refine(...inOrder('due_after', 'due_before'));

export const ChapterInvoiceFilters = z
  .object({
    ...filters,
    payer_type: z.enum(PAYER_TYPES).default('chapter').meta({
      description: "The chapter's own invoices; `member` lists those of its members, from which remittances are made.",
    }),
  })
  .refine(...inOrder('due_after', 'due_before'));

export const OwnInvoiceFilters = z.object({
  ...pageQuery,
  status: filters.status,
  membership: filters.membership,
  ordering: ordering({ due_date: 'i.due_date', created_at: 'i.id' }, '-due_date'),
});

export const VoidInvoice = z.strictObject({ reason: z.string().trim().min(1).max(500) }).meta({ id: 'InvoiceVoid' });
