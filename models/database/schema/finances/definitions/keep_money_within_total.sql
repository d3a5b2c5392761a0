-- At commit, requires that the payments and credit of an invoice do not exceed its total, and that a void invoice has
-- none.
CREATE OR REPLACE FUNCTION app.keep_money_within_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.organization_id = NEW.organization_id AND i.id = NEW.id
       AND (i.paid_cents < i.overpaid_cents
         OR i.paid_cents - i.overpaid_cents + i.credit_cents >
             CASE i.status WHEN 'void' THEN 0 ELSE i.total_cents END)) THEN
    RAISE EXCEPTION 'payments and credit exceed the total of invoice %', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_money_within_total';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS invoices_money_within_total ON chapter_invoices;
CREATE CONSTRAINT TRIGGER invoices_money_within_total AFTER INSERT OR UPDATE ON chapter_invoices
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.paid_cents < NEW.overpaid_cents
    OR NEW.paid_cents - NEW.overpaid_cents + NEW.credit_cents >
      CASE NEW.status WHEN 'void' THEN 0 ELSE NEW.total_cents END)
  EXECUTE FUNCTION app.keep_money_within_total();
