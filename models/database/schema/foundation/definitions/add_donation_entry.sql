-- Keeps the status, tax year and refunded amount of a gift, and the totals of its donor, campaign and fund, as sums of its
-- entries. SECURITY DEFINER: no role may write them directly. Rows are locked in the order donation, donor, campaign,
-- fund, as by every transaction.
CREATE OR REPLACE FUNCTION app.add_donation_entry() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE gift donations; moved bigint := CASE NEW.kind WHEN 'returned' THEN -NEW.amount_cents ELSE NEW.amount_cents END;
  counted integer;
BEGIN
  SELECT * INTO gift FROM donations d WHERE d.organization_id = NEW.organization_id AND d.id = NEW.donation_id FOR UPDATE;
  IF (NEW.capture_id IS NULL) <> (gift.method <> 'card') THEN
    RAISE EXCEPTION 'only an entry of an offline gift has no charge'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'donation_entries_charge';
  END IF;
  IF NEW.kind = 'received' THEN
    counted := 1;
    UPDATE donations d SET status = 'completed', under_review = false, failure_code = NULL, network_digest = NULL,
           charged_at = NEW.moved_at,
           tax_year = coalesce(extract(year FROM gift.received_on)::int,
             (SELECT app.tax_year(f.timezone, NEW.moved_at) FROM foundation_configs f
               WHERE f.organization_id = gift.organization_id))
     WHERE d.organization_id = gift.organization_id AND d.id = gift.id;
  ELSE
    counted := CASE WHEN gift.refunded_cents - moved = gift.amount_cents THEN 0 ELSE 1 END
             - CASE gift.status WHEN 'refunded' THEN 0 ELSE 1 END;
    UPDATE donations d SET refunded_cents = gift.refunded_cents - moved,
           status = CASE WHEN gift.refunded_cents - moved = d.amount_cents THEN 'refunded' ELSE 'completed' END
     WHERE d.organization_id = gift.organization_id AND d.id = gift.id;
  END IF;
  UPDATE donors o SET total_cents = o.total_cents + moved, gift_count = o.gift_count + counted
   WHERE o.organization_id = gift.organization_id AND o.id = gift.donor_id;
  UPDATE campaigns c SET raised_cents = c.raised_cents + moved
   WHERE c.organization_id = gift.organization_id AND c.id = gift.campaign_id;
  UPDATE funds f SET total_cents = f.total_cents + moved
   WHERE f.organization_id = gift.organization_id AND f.id = gift.fund_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.add_donation_entry() FROM PUBLIC;

CREATE OR REPLACE TRIGGER donation_entries_added AFTER INSERT ON donation_entries
  FOR EACH ROW EXECUTE FUNCTION app.add_donation_entry();
