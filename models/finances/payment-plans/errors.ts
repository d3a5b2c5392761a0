import { defineErrors } from '../../errors.js';

/** Errors of payment plans and plan requests. */
export const planErrors = defineErrors({
  payment_plans_disabled: [403, 'This organization does not offer payment plans.'],
  plan_requester_not_allowed: [403, 'You may not request payment plans in this organization.'],
  plan_request_open: [409, 'A payment plan request for this invoice is already pending.'],
  plan_already_active: [409, 'This invoice already has an active payment plan.'],
  plan_not_active: [409, 'This payment plan has ended and can no longer be changed.'],
  schedule_past: [409, 'The first date of the requested schedule is now in the past. Send another schedule.'],
  installment_reconciled: [409, 'This installment is already reconciled with a payment.'],
  installment_not_reconciled: [409, 'This installment is not reconciled.'],
});
