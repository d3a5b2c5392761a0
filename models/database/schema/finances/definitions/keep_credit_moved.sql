-- Requires that moved credit goes from one membership of a person to another membership of this person, in full, with
-- its source, and in one transaction.
CREATE OR REPLACE FUNCTION app.keep_credit_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM chapter_account_credits o JOIN chapter_account_credits n
        ON n.organization_id = o.organization_id AND n.moved_from = o.id
     WHERE o.organization_id = NEW.organization_id AND o.id = coalesce(NEW.moved_from, NEW.id)
       AND o.kind = 'moved_out' AND n.amount_cents = o.amount_cents AND n.membership_id <> o.membership_id
       AND (n.payment_record_id, n.invoice_id, n.capture_resolution_id) IS NOT DISTINCT FROM (o.payment_record_id, o.invoice_id, o.capture_resolution_id)
       AND app.same_person(o.organization_id, o.membership_id, n.membership_id)) THEN
    RAISE EXCEPTION 'moved credit must arrive at another membership of the same person'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_moves_whole';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS credits_moved ON chapter_account_credits;
CREATE CONSTRAINT TRIGGER credits_moved AFTER INSERT ON chapter_account_credits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind IN ('moved_out','moved_in'))
  EXECUTE FUNCTION app.keep_credit_moved();
