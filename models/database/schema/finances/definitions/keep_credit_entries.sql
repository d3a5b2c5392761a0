-- Keeps credit entries append-only, with one exception: when an invoice is regenerated, the entries of its payments
-- change to name the new invoice.
CREATE OR REPLACE FUNCTION app.keep_credit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.payment_record_id IS NOT NULL
     AND to_jsonb(NEW) - 'invoice_id' = to_jsonb(OLD) - 'invoice_id'
     AND EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = NEW.organization_id AND i.id = NEW.invoice_id
                    AND i.replaces = OLD.invoice_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'immutable';
END $$;

DROP TRIGGER IF EXISTS chapter_account_credits_immutable ON chapter_account_credits;
CREATE OR REPLACE TRIGGER credits_kept BEFORE UPDATE OR DELETE ON chapter_account_credits
  FOR EACH ROW EXECUTE FUNCTION app.keep_credit_entries();
