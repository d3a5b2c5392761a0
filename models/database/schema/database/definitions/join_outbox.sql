-- Of those who ask for the same within a second (`enqueue_soon`) the first is enough.
CREATE OR REPLACE FUNCTION app.join_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE id = NEW.id AND EXISTS (SELECT FROM outbox o
    WHERE o.workflow_id = NEW.workflow_id AND o.signal = NEW.signal AND o.id < NEW.id AND o.dispatched_at IS NULL
      -- nobody hands it over yet: whoever does moves its time first
      AND o.not_before = o.created_at + interval '1 second'
      -- what is left of its second is for the commit to be seen
      AND o.not_before > clock_timestamp() + interval '200 milliseconds');
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS outbox_join ON outbox;
CREATE CONSTRAINT TRIGGER outbox_join AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.signal = 'due') EXECUTE FUNCTION app.join_outbox();
