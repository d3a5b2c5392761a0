-- Refuses spending credit that does not exist or belongs to another payer.
CREATE OR REPLACE FUNCTION app.keep_credit_covered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE original chapter_account_credits; available bigint;
BEGIN
  PERFORM app.lock_credit(NEW.chapter_id, NEW.membership_id);
  IF NEW.kind = 'reversed' THEN
    SELECT * INTO original FROM chapter_account_credits
     WHERE organization_id = NEW.organization_id AND id = NEW.reverses;
    IF original.kind = 'reversed' OR original.amount_cents <> NEW.amount_cents
       OR original.chapter_id <> NEW.chapter_id OR original.membership_id IS DISTINCT FROM NEW.membership_id THEN
      RAISE EXCEPTION 'a reversal must name one whole entry of the same payer'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_reversal_matches';
    END IF;
  END IF;
  IF NEW.kind = 'applied' AND NOT EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.organization_id = NEW.organization_id
       AND i.id = NEW.invoice_id AND i.chapter_id = NEW.chapter_id AND i.payer_type = NEW.payer_type
       AND i.membership_id IS NOT DISTINCT FROM NEW.membership_id) THEN
    RAISE EXCEPTION 'credit may pay only invoices of its own payer'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_own_payer';
  END IF;
  SELECT coalesce(sum(app.credit_effect(c)), 0) INTO available FROM chapter_account_credits c
   WHERE c.organization_id = NEW.organization_id AND c.chapter_id = NEW.chapter_id
     AND c.membership_id IS NOT DISTINCT FROM NEW.membership_id;
  -- Credit that is reserved for refunds cannot be spent in any other way. Only the refund itself, made by the platform
  -- or at the provider, may use it.
  IF available + app.credit_effect(NEW) < 0
     OR (NEW.kind = 'moved_out' AND available - NEW.amount_cents < app.credit_reserved(NEW.organization_id, NEW.chapter_id, NEW.membership_id))
     OR (NEW.kind IN ('applied', 'refunded') AND num_nonnulls(NEW.payment_record_id, NEW.capture_resolution_id) = 0
       AND available - NEW.amount_cents < app.credit_reserved(NEW.organization_id, NEW.chapter_id, NEW.membership_id)
       -- Exception: if an entry was reversed in this transaction, a smaller amount may be applied to the same invoice
       -- again, because that credit was spent before.
       AND NOT EXISTS (SELECT FROM chapter_account_credits r WHERE r.organization_id = NEW.organization_id
             AND r.chapter_id = NEW.chapter_id AND r.membership_id IS NOT DISTINCT FROM NEW.membership_id AND r.kind = 'reversed'
             AND r.invoice_id = NEW.invoice_id AND r.created_at = now() AND r.amount_cents > NEW.amount_cents)) THEN
    RAISE EXCEPTION 'the credit balance is too low'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_covered';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER credits_covered BEFORE INSERT ON chapter_account_credits
  FOR EACH ROW EXECUTE FUNCTION app.keep_credit_covered();
