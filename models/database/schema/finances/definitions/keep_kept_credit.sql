-- Refuses to reverse credit that was issued for an unmatched payment, because the captured money would then belong to
-- no payer.
CREATE OR REPLACE FUNCTION app.keep_kept_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM chapter_account_credits o WHERE o.organization_id = NEW.organization_id
                AND o.id = NEW.reverses AND o.capture_resolution_id IS NOT NULL) THEN
    RAISE EXCEPTION 'credit from kept money ends only with the refund of that money'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'credit_of_capture_stays';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER credits_kept BEFORE INSERT ON chapter_account_credits
  FOR EACH ROW WHEN (NEW.kind = 'reversed') EXECUTE FUNCTION app.keep_kept_credit();
