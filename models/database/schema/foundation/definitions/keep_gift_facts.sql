-- Refuses changes of what a gift or a receipt has recorded. Manual repairs run as the owner role, to which this trigger
-- does not apply.
CREATE OR REPLACE FUNCTION app.keep_gift_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken boolean;
BEGIN
  CASE TG_TABLE_NAME
    -- the charge decides the amount and the fee, once; only entries make a gift completed or refunded
    WHEN 'donations' THEN broken :=
      (OLD.charged_at IS NOT NULL AND (NEW.amount_cents, NEW.fee_cents) IS DISTINCT FROM (OLD.amount_cents, OLD.fee_cents))
      OR (NEW.status <> OLD.status
          AND (OLD.status IN ('completed', 'refunded') OR NEW.status IN ('completed', 'refunded')))
      -- a gift starts at most one pledge
      OR (OLD.pledge_id IS NOT NULL AND (NEW.pledge_id, NEW.period) IS DISTINCT FROM (OLD.pledge_id, OLD.period));
    WHEN 'tax_receipts' THEN broken := OLD.status <> 'valid' AND NEW.status <> OLD.status;
    WHEN 'annual_receipt_runs' THEN broken := OLD.status <> 'running' AND NEW.status <> OLD.status;
    WHEN 'receipt_counters' THEN broken := NEW.last_number <> OLD.last_number + 1;
  END CASE;
  IF broken THEN
    RAISE EXCEPTION 'facts recorded in % % cannot be changed', TG_TABLE_NAME, OLD.id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER donations_facts BEFORE UPDATE ON donations
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_gift_facts();
CREATE OR REPLACE TRIGGER tax_receipts_facts BEFORE UPDATE ON tax_receipts
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_gift_facts();
CREATE OR REPLACE TRIGGER receipt_counters_facts BEFORE UPDATE ON receipt_counters
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_gift_facts();
CREATE OR REPLACE TRIGGER annual_receipt_runs_facts BEFORE UPDATE ON annual_receipt_runs
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_gift_facts();
