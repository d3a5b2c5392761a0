import { z } from 'zod';
import { cents, day, flag, moment, previewHash, recordId, seenVersion, text } from '../../../models/fields.js';
import { BULK_STATUSES } from '../../../models/finances/payment-plans/PlanBulkApproval.js';
import { RIGHT_LOST_DESCRIPTION } from '../../../models/organizations/holdsRight.js';
import { SKIP_REASONS } from '../../../models/finances/payment-plans/PlanBulkApprovalLine.js';
import { PLAN_STATUSES } from '../../../models/finances/payment-plans/PaymentPlan.js';
import { PLAN_REQUEST_STATUSES } from '../../../models/finances/payment-plans/PaymentPlanRequest.js';
import { POLICY_REASONS } from '../../../models/finances/payment-plans/policy.js';
import type { RequestedPlan } from '../../../models/finances/payment-plans/requestPlan.js';
import { INTERVALS } from '../../../models/finances/payment-plans/schedule.js';
import { ordering, pageQuery } from '../../http/pagination.js';

const hiddenCents = cents.nullable().meta({ description: 'Null for officers who do not see amounts.' });

const InstallmentInput = z.strictObject({ due_date: day, amount_cents: z.int().positive().max(99_999_999) });
const installmentRows = z
  .array(InstallmentInput)
  .min(2, 'At least two installments.')
  .max(60, 'At most 60 installments.')
  .meta({ description: 'In ascending order of days; the amounts add up to exactly what is due.' });

export const PlanRequestCreate = z
  .strictObject({
    invoice: recordId.meta({ description: 'An invoice of a member that is not paid in full.' }),
    justification: text(2000).min(10, 'Give a reason of at least ten characters.'),
    installments: installmentRows
      .optional()
      .meta({ description: 'Your own schedule; otherwise the next three fields.' }),
    installment_count: z.int().min(2).max(60).optional(),
    first_due_date: day.optional(),
    interval: z.enum(INTERVALS).optional(),
  })
  .superRefine((body, context) => {
    const priced = ['installment_count', 'first_due_date', 'interval'] as const;
    for (const name of priced) {
      const isSent = body[name] !== undefined;
      if (isSent === (body.installments !== undefined))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: isSent ? 'Send either installments or this.' : 'Required, unless you send installments.',
        });
    }
  })
  .meta({
    id: 'PlanRequestCreate',
    example: {
      invoice: '01980c6e-2f4b-7c1a-9d3e-5b8f0a1c2d3e',
      justification: 'I begin a new job in March.',
      installment_count: 3,
      first_due_date: '2190-01-31',
      interval: 'monthly',
    },
  });

/** Converts a request body into the input of its operation. */
export function toPlanRequest(body: z.output<typeof PlanRequestCreate>): RequestedPlan {
  const { invoice, justification, installments, installment_count, first_due_date, interval } = body;
  const priced = { installment_count, first_due_date, interval } as RequestedPlan['schedule'];
  return { invoice, justification, schedule: installments ? { installments } : priced };
}

export const PlanJson = z
  .object({
    id: z.uuid(),
    invoice: z.uuid(),
    member: z.uuid().meta({ description: 'Id of the membership.' }),
    status: z.enum(PLAN_STATUSES),
    total_cents: hiddenCents,
    next_due_date: z.iso
      .date()
      .nullable()
      .meta({ description: 'Day of the first unmet installment, on which the invoice is due.' }),
    original_due_date: z.iso.date(),
    is_late: z.boolean(),
    cancel_reason: z.string().nullable(),
    ended_at: moment.nullable(),
    created_at: moment,
    installments: z.array(
      z.object({
        sequence: z.int(),
        due_date: z.iso.date(),
        amount_cents: hiddenCents,
        is_met: z.boolean().meta({ description: 'Reconciled, or covered by later payments.' }),
        is_late: z.boolean(),
        reconciled_at: moment.nullable(),
        reconciled_by: z.uuid().nullable(),
        payment: z.uuid().nullable(),
        note: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'PaymentPlan' });

export const PlanRequestJson = z
  .object({
    id: z.uuid(),
    invoice: z.uuid(),
    invoice_description: z.string(),
    invoice_due_date: z.iso.date(),
    invoice_balance_cents: hiddenCents.meta({ description: 'The balance when the plan was requested.' }),
    balance_due_cents: hiddenCents,
    chapter: z.uuid(),
    chapter_name: z.string(),
    member: z.object({ membership: z.uuid(), user: z.uuid(), name: z.string() }),
    requester: z.object({ id: z.uuid(), name: z.string() }),
    justification: z
      .string()
      .nullable()
      .meta({ description: 'Null for officers who do not see amounts, unless they wrote it.' }),
    status: z.enum(PLAN_REQUEST_STATUSES),
    installments: z.array(z.object({ due_date: z.iso.date(), amount_cents: hiddenCents })),
    is_in_policy: z.boolean().nullable(),
    policy_reasons: z.array(z.enum(POLICY_REASONS)).nullable(),
    freeze_expires_at: moment
      .nullable()
      .meta({ description: 'No reminders are sent until then. Null if there is no freeze.' }),
    freeze_seconds_remaining: z.int().nullable(),
    is_frozen: z.boolean(),
    plan: PlanJson.nullable(),
    reviewed_by: z.uuid().nullable(),
    reviewed_at: moment.nullable(),
    review_notes: z.string().nullable(),
    closed_at: moment.nullable(),
    version: z.int(),
    created_at: moment,
  })
  .meta({ id: 'PlanRequest' });

/** Sort expressions. Only a pending request has a freeze that can expire; for a decided request the value is null. */
const byFreeze = {
  freeze_expires_at: `CASE WHEN r.status = 'pending' THEN r.freeze_anchor END`,
  created_at: 'r.id',
};

export const PlanQueueFilters = z.object({
  ...pageQuery,
  status: z.enum(PLAN_REQUEST_STATUSES).optional(),
  chapter: recordId.optional(),
  in_policy: flag.optional(),
  is_frozen: flag.optional(),
  ordering: ordering(byFreeze, 'freeze_expires_at', ['freeze_expires_at']),
});

export const OwnPlanRequestFilters = z.object({
  ...pageQuery,
  status: z.enum(PLAN_REQUEST_STATUSES).optional(),
  ordering: ordering({ created_at: 'r.id' }, '-created_at'),
});

export const PlanReviewBody = z
  .strictObject({
    decision: z.enum(['approve', 'refuse']),
    notes: text(2000).optional().meta({ description: 'Required for a rejection. The member can read them.' }),
    installments: installmentRows.optional().meta({ description: 'A schedule that replaces the requested one.' }),
    version: seenVersion,
  })
  .refine(({ decision, notes }) => decision !== 'refuse' || notes !== undefined, {
    path: ['notes'],
    message: 'Give a reason.',
  })
  .refine(({ decision, installments }) => decision === 'approve' || installments === undefined, {
    path: ['installments'],
    message: 'Only allowed with approve.',
  })
  .meta({ id: 'PlanReview', example: { decision: 'approve', notes: 'Agreed by phone.' } });

export const BulkApproveBody = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'True: answer with a preview and change nothing.' }),
    preview_hash: previewHash.optional().meta({ description: 'Hash of a preview; any other result is refused.' }),
  })
  .meta({ id: 'PlanBulkApprove', example: { dry_run: true } });

export const BulkApprovalJson = z
  .object({
    dry_run: z.boolean(),
    id: z.uuid().nullable().meta({ description: 'Null for a preview.' }),
    status: z
      .enum(BULK_STATUSES)
      .nullable()
      .meta({ description: `Null for a preview. ${RIGHT_LOST_DESCRIPTION}` }),
    workflow_id: z.string().nullable(),
    requested_by: z.uuid().nullable().meta({ description: 'The person who confirmed it.' }),
    total: z.int().meta({ description: 'Number of requests, approved or not.' }),
    done: z.int().meta({ description: 'Number of requests with a result.' }),
    approved: z
      .array(z.uuid())
      .meta({ description: 'Ids of the approved requests; in a preview, of those that would be approved.' }),
    skipped: z.array(z.object({ id: z.uuid(), reason: z.enum(SKIP_REASONS) })),
    remaining: z.int().meta({ description: 'Number of requests that are not decided yet.' }),
    not_done: z
      .array(z.uuid())
      .meta({ description: 'The remaining requests. They wait for a decision when the approval has ended early.' }),
    preview_hash: previewHash,
  })
  .meta({ id: 'PlanBulkApproval' });

export const PlanReviewedJson = PlanRequestJson.extend({
  repriced: z
    .boolean()
    .meta({ description: 'The amount due had changed: the days are the same, the amounts are new.' }),
}).meta({ id: 'PlanReviewed' });
