-- Part of a payment plan that payments since the start of the plan cover, in cents. Amounts that were billed later (a
-- fee, a voided discount) do not reduce it: they remain due after all installments are met.
CREATE OR REPLACE FUNCTION app.paid_of_plan(plan payment_plans, invoice chapter_invoices) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, plan.total_cents - invoice.balance_due_cents
    + greatest(0, invoice.total_cents - invoice.discount_cents - plan.billed_cents)) $$;
