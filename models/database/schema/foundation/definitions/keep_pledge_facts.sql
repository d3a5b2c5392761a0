-- Refuses changes of what a pledge or a period has recorded: a cancelled pledge stays cancelled, and a paid period stays
-- paid. Money of a missed period may still arrive. Manual repairs run as the owner role, to which this does not apply.
CREATE OR REPLACE FUNCTION app.keep_pledge_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE broken boolean;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'recurring_pledges' THEN broken :=
      (OLD.status = 'cancelled' AND (NEW.status, NEW.cancelled_at, NEW.cancelled_by, NEW.cancel_reason)
        IS DISTINCT FROM (OLD.status, OLD.cancelled_at, OLD.cancelled_by, OLD.cancel_reason))
      -- a forgotten card does not return
      OR (OLD.status = 'cancelled' AND OLD.card_encrypted IS NULL AND NEW.card_encrypted IS NOT NULL)
      OR NEW.next_period < OLD.next_period;
    WHEN 'pledge_periods' THEN broken :=
      (NEW.status <> OLD.status AND (OLD.status = 'paid' OR NEW.status = 'open')) OR NEW.tries < OLD.tries;
  END CASE;
  IF broken THEN
    RAISE EXCEPTION 'facts recorded in % % cannot be changed', TG_TABLE_NAME, OLD.id
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER recurring_pledges_facts BEFORE UPDATE ON recurring_pledges
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_pledge_facts();
CREATE OR REPLACE TRIGGER pledge_periods_facts BEFORE UPDATE ON pledge_periods
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER')) EXECUTE FUNCTION app.keep_pledge_facts();
