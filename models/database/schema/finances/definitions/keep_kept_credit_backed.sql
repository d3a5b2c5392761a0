-- Refuses credit for an unmatched payment that exceeds what is left of the captured money. Locks the capture, so that a
-- concurrent refund waits even if both transactions share no other lock.
CREATE OR REPLACE FUNCTION app.keep_kept_credit_backed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM processor_captures c WHERE c.organization_id = NEW.organization_id AND c.id = (
    SELECT r.capture_id FROM capture_resolutions r WHERE r.organization_id = NEW.organization_id AND r.id = NEW.capture_resolution_id)
    FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT FROM capture_resolutions r
       JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
      WHERE r.organization_id = NEW.organization_id AND r.id = NEW.capture_resolution_id
        AND r.resolution = 'keep_as_credit'
        AND ((r.chapter_id = NEW.chapter_id AND r.membership_id IS NOT DISTINCT FROM NEW.membership_id)
          OR (NEW.kind <> 'issued' AND app.same_person(NEW.organization_id, r.membership_id, NEW.membership_id)))
        AND app.credit_of_resolution(r.organization_id, r.id) BETWEEN 0 AND c.amount_cents - c.refunded_cents) THEN
    RAISE EXCEPTION 'kept money backs only credit of its own payer, up to its unrefunded amount'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER credits_kept_backed AFTER INSERT ON chapter_account_credits
  FOR EACH ROW WHEN (NEW.capture_resolution_id IS NOT NULL) EXECUTE FUNCTION app.keep_kept_credit_backed();
