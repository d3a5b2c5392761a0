import { defineErrors } from '../../errors.js';

/** Refusals of payment plans and of what is asked for. */
export const planErrors = defineErrors({
  payment_plans_disabled: [403, 'This organization offers no payment by instalments.'],
  plan_requester_not_allowed: [403, 'Somebody else asks for instalments in this organization.'],
  plan_request_open: [409, 'Instalments are asked for already, and wait for a decision.'],
  plan_already_active: [409, 'This invoice is paid by instalments already.'],
  plan_not_active: [409, 'This plan is over.'],
  schedule_past: [409, 'The first date has passed meanwhile. Send another schedule.'],
  installment_reconciled: [409, 'This row is ticked already.'],
  installment_not_reconciled: [409, 'This row is not ticked.'],
});
