-- Constrains refunds and disputes of captures and payments: their amounts grow, and decrease only because a refund
-- failed or a dispute was won. A payment that succeeded does not change its status, and flagged money is resolved once.
CREATE OR REPLACE FUNCTION app.keep_given_back() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken boolean := NEW.refund_failed_cents < OLD.refund_failed_cents
  OR NEW.refunded_cents + NEW.refund_failed_cents < OLD.refunded_cents + OLD.refund_failed_cents;
BEGIN
  IF TG_TABLE_NAME = 'payment_records' THEN
    broken := broken OR (OLD.status = 'succeeded' AND (NEW.status, NEW.amount_cents, NEW.paid_at, NEW.failure_code)
      IS DISTINCT FROM (OLD.status, OLD.amount_cents, OLD.paid_at, OLD.failure_code));
  ELSE
    broken := broken
      OR (OLD.refunds_read_at IS NOT NULL AND coalesce(NEW.refunds_read_at < OLD.refunds_read_at, true))
      OR (NEW.disposition <> OLD.disposition AND CASE OLD.disposition
        WHEN 'flagged' THEN NEW.disposition <> 'resolved'
        -- Resolved money is flagged again only when a refund of it failed and the money came back.
        WHEN 'resolved' THEN NEW.disposition <> 'flagged' OR NEW.refund_failed_cents = OLD.refund_failed_cents
        ELSE true END);
  END IF;
  IF broken THEN
    RAISE EXCEPTION 'facts recorded in % % cannot be changed', TG_TABLE_NAME, OLD.id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_records_facts BEFORE UPDATE ON payment_records
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_given_back();
CREATE OR REPLACE TRIGGER processor_captures_facts BEFORE UPDATE ON processor_captures
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_given_back();
