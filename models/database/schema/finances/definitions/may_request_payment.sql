-- Whether payers may be asked to pay an invoice on a day: it is due, and neither frozen nor disputed. Call it in FROM:
-- Postgres then inlines it.
CREATE OR REPLACE FUNCTION app.may_request_payment(
  p_organization uuid, p_invoice uuid, p_status text, p_balance_due_cents bigint, p_day date
) RETURNS TABLE (allowed boolean) LANGUAGE sql STABLE AS $$
  SELECT p_status IN ('open', 'partially_paid', 'overdue') AND p_balance_due_cents > 0
     AND NOT EXISTS (SELECT FROM app.freezes_of_invoice(p_organization, p_invoice, p_day))
     AND NOT EXISTS (SELECT FROM app.open_disputes_of_invoice(p_organization, p_invoice)) $$;
