-- Whoever relays the outbox listens. A row that a request dispatches itself is nothing for them yet: they come to it by the clock.
CREATE OR REPLACE FUNCTION app.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM written WHERE not_before <= now()) THEN PERFORM pg_notify('outbox', ''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER outbox_announce AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.announce_outbox();
