-- Deletes a debounced row if an equal one is waiting (`enqueue_soon`).
CREATE OR REPLACE FUNCTION app.join_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE id = NEW.id AND EXISTS (SELECT FROM outbox o
    WHERE o.workflow_id = NEW.workflow_id AND o.signal = NEW.signal AND o.id < NEW.id AND o.dispatched_at IS NULL
      -- not claimed yet: a claim moves not_before first
      AND o.not_before = o.created_at + interval '1 second'
      -- leaves time for this commit to become visible
      AND o.not_before > clock_timestamp() + interval '200 milliseconds');
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS outbox_join ON outbox;
CREATE CONSTRAINT TRIGGER outbox_join AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.signal = 'due') EXECUTE FUNCTION app.join_outbox();
