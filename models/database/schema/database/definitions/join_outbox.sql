-- Deletes a debounced outbox row (`enqueue_soon`) if an earlier row with the same signal to the same workflow is still
-- waiting.
CREATE OR REPLACE FUNCTION app.join_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE id = NEW.id AND EXISTS (SELECT FROM outbox o
    WHERE o.workflow_id = NEW.workflow_id AND o.signal = NEW.signal AND o.id < NEW.id AND o.dispatched_at IS NULL
      -- The earlier row is not claimed yet: a claim would have moved its not_before.
      AND o.not_before = o.created_at + interval '1 second'
      -- The earlier row is not sent for another 200 ms, so that the rows of this transaction are visible by then.
      AND o.not_before > clock_timestamp() + interval '200 milliseconds');
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS outbox_join ON outbox;
CREATE CONSTRAINT TRIGGER outbox_join AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.signal = 'due') EXECUTE FUNCTION app.join_outbox();
