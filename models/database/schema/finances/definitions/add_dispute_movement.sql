-- Maintains the totals of a dispute's movements (withdrawn and reinstated money) on the dispute and on its capture.
-- SECURITY DEFINER, because no role may write these totals directly. The transaction that inserts the movement holds
-- the capture's lock.
CREATE OR REPLACE FUNCTION app.add_dispute_movement() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE payment_disputes d SET
    withdrawn_cents = withdrawn_cents + CASE NEW.kind WHEN 'withdrawn' THEN NEW.amount_cents ELSE 0 END,
    reinstated_cents = reinstated_cents + CASE NEW.kind WHEN 'reinstated' THEN NEW.amount_cents ELSE 0 END,
    fee_cents = fee_cents + CASE NEW.kind WHEN 'fee' THEN NEW.amount_cents ELSE 0 END
   WHERE d.organization_id = NEW.organization_id AND d.id = NEW.dispute_id;
  UPDATE processor_captures c SET withdrawn_cents = held.cents
    FROM (SELECT d.capture_id, coalesce(sum(greatest(0, o.withdrawn_cents - o.reinstated_cents)), 0)::bigint AS cents
            FROM payment_disputes d
            JOIN payment_disputes o ON o.organization_id = d.organization_id AND o.capture_id = d.capture_id
           WHERE d.organization_id = NEW.organization_id AND d.id = NEW.dispute_id GROUP BY d.capture_id) held
   WHERE c.organization_id = NEW.organization_id AND c.id = held.capture_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.add_dispute_movement() FROM PUBLIC;

CREATE OR REPLACE TRIGGER dispute_movements_added AFTER INSERT ON payment_dispute_movements
  FOR EACH ROW EXECUTE FUNCTION app.add_dispute_movement();
