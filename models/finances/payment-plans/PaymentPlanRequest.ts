import { z } from 'zod';
import { audit } from '../../database/audit.js';
import {
  cents,
  day,
  json,
  link,
  moment,
  oneOf,
  stamps,
  tenantKeys,
  text,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { planErrors } from './errors.js';
import { POLICY_REASONS } from './policy.js';

export const PLAN_REQUEST_STATUSES = ['pending', 'approved', 'refused', 'withdrawn', 'lapsed'] as const;

const Schedule = z.array(z.object({ due_date: z.iso.date(), amount_cents: z.int() }));
const Policy = z.object({
  plan_max_installments: z.int(),
  plan_max_duration_days: z.int(),
  plan_min_first_payment_cents: z.int(),
});

/** A request to pay one invoice in installments, made by the member or on their behalf. */
export class PaymentPlanRequest extends defineModel({
  table: 'payment_plan_requests',
  columns: {
    ...tenantKeys,
    invoice_id: link(),
    chapter_id: link(),
    membership_id: link(),
    requested_by: link(),
    justification: text(2000),
    schedule: json(Schedule),
    invoice_balance_cents: cents(1),
    is_in_policy: yesOrNo(),
    policy_reasons: json(z.array(z.enum(POLICY_REASONS))),
    policy: json(Policy),
    freeze_anchor: day().nullable(),
    status: oneOf(PLAN_REQUEST_STATUSES).default('pending'),
    reviewed_by: link().nullable(),
    reviewed_at: moment().nullable(),
    review_notes: text(2000).nullable(),
    closed_at: moment().nullable(),
    reminded_at: moment().nullable(),
    thawed_at: moment().nullable(),
    ...stamps,
  },
  constraints: { plan_requests_one_open: planErrors.plan_request_open },
}) {}

/** Writes the state of a request to the audit log, without any text that a person typed. */
export const auditPlanRequest = ({ id, invoice_id, status }: PaymentPlanRequest, verb: string): Promise<void> =>
  audit({ action: `plan_request.${verb}`, subjectType: 'plan_request', subjectId: id, after: { status, invoice_id } });
