import { z } from 'zod';
import { moment, previewHash } from '../../../models/fields.js';
import { ATTEMPT_STATUSES } from '../../../models/finances/attempts/PaymentAttempt.js';
import { FLAG_REASONS } from '../../../models/finances/remittances/ChapterRemittance.js';
import { MAX_ALLOCATIONS } from '../../../models/finances/remittances/createRemittance.js';
import { PLACEMENT_REASONS } from '../../../models/finances/remittances/repair/placeMoney.js';
import { REMITTANCE_STATUSES } from '../../../models/finances/remittances/remittance.js';
import { ordering, pageQuery } from '../../http/pagination.js';

const cents = z.int().positive().max(99_999_999);
const hiddenCents = z.int().nullable().meta({ description: 'Null where officers do not see amounts.' });

const Allocation = z
  .strictObject({
    invoice: z.uuid().toLowerCase().meta({ description: 'An open member invoice of the chapter.' }),
    amount_cents: cents.optional().meta({
      description:
        'From 1 cent to the balance due; required. Officers who do not see amounts leave it out: the balance due is used. To resolve, they use the repair proposal.',
      example: 10_000,
    }),
  })
  .meta({ id: 'RemittanceAllocationInput' });

const allocations = z
  .array(Allocation)
  .min(1, 'Name at least one invoice.')
  .max(MAX_ALLOCATIONS, `At most ${MAX_ALLOCATIONS} invoices.`);

export const CreateRemittance = z
  .object({ chapter: z.uuid().toLowerCase(), allocations })
  .meta({ id: 'RemittanceCreate', description: 'The total is computed; a total from the client is refused.' });

export const PayRemittance = z
  .object({
    payment_method: z
      .string()
      .regex(/^[A-Za-z0-9_:-]{1,300}$/, 'Send the token of a payment method, never card data.')
      .refine((token) => !/\d{12,}/.test(token), 'This looks like a card number. Send a token of the gateway.')
      .meta({ example: 'pm_card_visa' }),
  })
  .meta({ id: 'RemittancePay' });

export const ResolveRemittance = z
  .object({
    allocations: allocations.optional(),
    proposal_hash: previewHash.optional().meta({ description: 'Hash of the repair proposal, instead of allocations.' }),
    resolution_note: z.string().trim().min(1).max(2000),
  })
  .refine((body) => body.proposal_hash !== undefined || body.allocations !== undefined, {
    path: ['allocations'],
    message: 'Required, unless you send proposal_hash.',
  })
  .refine((body) => body.proposal_hash === undefined || body.allocations === undefined, {
    path: ['allocations'],
    message: 'Send either allocations or proposal_hash.',
  })
  .meta({ id: 'RemittanceResolve', description: 'The allocations add up to exactly reconciliation_amount_cents.' });

export const RepairProposalJson = z
  .object({
    waiting_cents: hiddenCents.meta({ description: 'Money that is not allocated yet: placed and unplaced together.' }),
    placed_cents: hiddenCents,
    unplaced_cents: hiddenCents.meta({ description: 'Money that no open invoice of the chapter can take.' }),
    refunding_cents: hiddenCents.meta({ description: 'Pending refunds.' }),
    may_refund_unplaced: z.boolean().meta({ description: 'Whether the reader may refund what is unplaced.' }),
    changes: z.array(
      z.object({
        invoice: z.uuid(),
        membership: z.uuid(),
        payer_name: z.string(),
        amount_cents: hiddenCents,
        reason: z.enum(PLACEMENT_REASONS).meta({
          description:
            '`kept`: the allocation is unchanged; `shortened`: less money arrived, or less is due; `replacement`: the invoice was regenerated; `same_member`: another invoice of the same member; `other_member`: an invoice of another member of the chapter.',
        }),
        meant_for: z.uuid().nullable().meta({
          description:
            'The invoice to which this money was allocated first. Null if more money arrived than was requested.',
        }),
        balance_before_cents: hiddenCents,
        balance_after_cents: hiddenCents,
      }),
    ),
    allocations: z.array(z.object({ invoice: z.uuid(), amount_cents: hiddenCents })),
    proposal_hash: previewHash,
  })
  .meta({ id: 'RemittanceRepairProposal' });

export const RefundUnplaced = z
  .strictObject({ proposal_hash: previewHash, reason: z.string().trim().min(3).max(500) })
  .meta({ id: 'RemittanceRefundUnplaced' });

export const RemittanceFilters = z.object({
  ...pageQuery,
  chapter: z.uuid().toLowerCase().optional(),
  status: z.enum(REMITTANCE_STATUSES).optional(),
  ordering: ordering({ created_at: 'r.created_at', total_cents: 'r.total_cents' }, '-created_at'),
});

const summary = {
  id: z.uuid(),
  chapter: z.uuid(),
  status: z.enum(REMITTANCE_STATUSES),
  currency: z.string(),
  total_cents: hiddenCents,
  invoice_count: z.int(),
  processor_payment_id: z.string().nullable(),
  created_by: z.uuid(),
  created_at: moment,
  settled_at: moment.nullable(),
  reconciliation_flagged_at: moment.nullable(),
  reconciliation_amount_cents: hiddenCents,
  reconciliation_reason: z.enum(FLAG_REASONS).nullable(),
  reconciliation_note: z.string().nullable(),
  resolved_at: moment.nullable(),
};

export const RemittanceSummary = z.object(summary).meta({ id: 'RemittanceSummary' });

export const RemittanceJson = z
  .object({
    ...summary,
    allocations: z.array(
      z.object({
        id: z.uuid(),
        invoice: z.uuid(),
        payer_name: z.string().nullable(),
        invoice_status: z.enum(['open', 'overdue', 'partially_paid', 'paid', 'void']),
        amount_cents: hiddenCents,
        is_stale: z.boolean().meta({ description: 'Not credited, and no longer payable in this form.' }),
        payment: z.uuid().nullable().meta({ description: 'The child payment, once settled.' }),
        processor_payment_id: z.string().nullable().meta({ description: '<remittance>:<invoice>, once settled.' }),
      }),
    ),
    attempts: z.array(
      z.object({
        id: z.uuid(),
        status: z.enum(ATTEMPT_STATUSES),
        failure_code: z.string().nullable(),
        failure_message: z.string().nullable(),
        created_at: moment,
        finished_at: moment.nullable(),
        workflow_id: z.string(),
      }),
    ),
  })
  .meta({ id: 'Remittance' });

export const PaymentConfig = z
  .object({
    provider: z.string(),
    publishable_key: z.string().nullable(),
    settings: z
      .record(z.string(), z.string())
      .meta({ description: "Further settings of the account for the provider's own script; no secrets." }),
    currency: z.string(),
    amount_cents: hiddenCents,
    metadata: z.object({ remittance_id: z.uuid(), organization_id: z.uuid(), processor_id: z.uuid() }),
  })
  .meta({
    id: 'RemittancePaymentConfig',
    description: 'For a form hosted by the gateway. Reading it charges nothing.',
  });
