import { cents, day, integer, link, moment, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** A dated part of a plan. It is never collected automatically; a treasurer reconciles it when it is paid. */
export class PaymentPlanInstallment extends defineModel({
  table: 'payment_plan_installments',
  columns: {
    ...tenantKeys,
    plan_id: link(),
    sequence: integer(1, 60),
    due_date: day(),
    amount_cents: cents(1),
    payment_record_id: link().nullable(),
    note: text(500).nullable(),
    reconciled_by: link().nullable(),
    reconciled_at: moment().nullable(),
    ...stamps,
  },
}) {}
