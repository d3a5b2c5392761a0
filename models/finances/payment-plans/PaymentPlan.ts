import { cents, day, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { planErrors } from './errors.js';

export const PLAN_STATUSES = ['active', 'completed', 'cancelled'] as const;

/**
 * The schedule by which an invoice is paid. It holds no balance and charges nothing. Database triggers end it when its
 * invoice is paid or voided.
 */
export class PaymentPlan extends defineModel({
  table: 'payment_plans',
  columns: {
    ...tenantKeys,
    invoice_id: link(),
    request_id: link(),
    chapter_id: link(),
    membership_id: link(),
    status: oneOf(PLAN_STATUSES).default('active'),
    total_cents: cents(1),
    billed_cents: cents(0, Number.MAX_SAFE_INTEGER),
    original_due_date: day(),
    cancelled_by: link().nullable(),
    cancel_reason: text(500).nullable(),
    ended_at: moment().nullable(),
    ...stamps,
  },
  constraints: { plans_one_active: planErrors.plan_already_active },
}) {}
