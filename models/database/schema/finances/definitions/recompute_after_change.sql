-- Recomputes the invoices of the rows that changed. SECURITY DEFINER: no role may write amounts.
CREATE OR REPLACE FUNCTION app.recompute_after_change() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.recompute_invoices((SELECT array_agg(DISTINCT invoice_id) FROM changed WHERE invoice_id IS NOT NULL));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.recompute_after_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER credits_recompute AFTER INSERT ON chapter_account_credits
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
CREATE OR REPLACE TRIGGER discounts_recompute_insert AFTER INSERT ON invoice_discounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
CREATE OR REPLACE TRIGGER discounts_recompute_update AFTER UPDATE ON invoice_discounts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
CREATE OR REPLACE TRIGGER lines_recompute AFTER INSERT ON invoice_line_items
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
CREATE OR REPLACE TRIGGER payments_recompute_insert AFTER INSERT ON payment_records
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
CREATE OR REPLACE TRIGGER payments_recompute_update AFTER UPDATE ON payment_records
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.recompute_after_change();
