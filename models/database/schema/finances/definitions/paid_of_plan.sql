-- What of a plan is covered by what was paid since it was granted, in cents. What was billed since (a fee, a discount that was taken back)
-- undoes no payment: it is left once all rows are met.
CREATE OR REPLACE FUNCTION app.paid_of_plan(plan payment_plans, invoice chapter_invoices) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(0, plan.total_cents - invoice.balance_due_cents
    + greatest(0, invoice.total_cents - invoice.discount_cents - plan.billed_cents)) $$;
