-- Moves an invoice's due date when its plan begins or an installment is ticked, and restores the old due date when the
-- plan is cancelled.
CREATE OR REPLACE FUNCTION app.plan_changed() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'payment_plan_installments' THEN
    PERFORM app.follow_plans((SELECT array_agg(DISTINCT p.invoice_id) FROM changed c
      JOIN payment_plans p ON p.organization_id = c.organization_id AND p.id = c.plan_id));
  ELSE
    UPDATE chapter_invoices i SET due_date = c.original_due_date
      FROM changed c JOIN was o ON o.id = c.id
     WHERE c.status = 'cancelled' AND o.status = 'active' AND i.organization_id = c.organization_id AND i.id = c.invoice_id
       AND i.balance_due_cents > 0;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.plan_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER installments_begin AFTER INSERT ON payment_plan_installments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.plan_changed();
CREATE OR REPLACE TRIGGER installments_ticked AFTER UPDATE ON payment_plan_installments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.plan_changed();
CREATE OR REPLACE TRIGGER plans_ended AFTER UPDATE ON payment_plans
  REFERENCING OLD TABLE AS was NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.plan_changed();
