-- Maintains refunded_by_others_cents: the part of a payment's refunded amount that was not refunded through the
-- platform.
CREATE OR REPLACE FUNCTION app.tell_refunded_by_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.refunded_by_others_cents := greatest(0, NEW.refunded_cents - coalesce((
    SELECT sum(r.amount_cents)::bigint FROM refunds r
     WHERE r.organization_id = NEW.organization_id AND r.payment_record_id = NEW.id AND r.status = 'succeeded'), 0));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_records_refunded_by BEFORE UPDATE OF refunded_cents ON payment_records
  FOR EACH ROW EXECUTE FUNCTION app.tell_refunded_by_others();
CREATE OR REPLACE TRIGGER payment_records_brought_refunded BEFORE INSERT ON payment_records
  FOR EACH ROW WHEN (NEW.refunded_cents > 0) EXECUTE FUNCTION app.tell_refunded_by_others();
