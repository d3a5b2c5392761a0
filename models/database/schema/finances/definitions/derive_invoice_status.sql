-- Derives an invoice's status from its amounts when it is marked or voided; no role sets the status.
CREATE OR REPLACE FUNCTION app.derive_invoice_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.voided_at IS NOT NULL THEN
    NEW.status := 'void';
    NEW.balance_due_cents := 0;
    NEW.paid_at := NULL;
  ELSE
    NEW.status := CASE WHEN NEW.balance_due_cents = 0 AND NEW.total_cents > 0 THEN 'paid'
                       WHEN NEW.overdue_at IS NOT NULL THEN 'overdue'
                       WHEN NEW.paid_cents - NEW.overpaid_cents + NEW.credit_cents > 0 THEN 'partially_paid'
                       ELSE 'open' END;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER chapter_invoices_status BEFORE UPDATE ON chapter_invoices FOR EACH ROW
  WHEN (NEW.voided_at IS DISTINCT FROM OLD.voided_at OR NEW.overdue_at IS DISTINCT FROM OLD.overdue_at)
  EXECUTE FUNCTION app.derive_invoice_status();
