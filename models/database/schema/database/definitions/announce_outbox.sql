-- Notifies the relay of a new outbox row. Not for rows that their request dispatches itself: the relay finds those by
-- time if needed.
CREATE OR REPLACE FUNCTION app.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM written WHERE not_before <= now()) THEN PERFORM pg_notify('outbox', ''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER outbox_announce AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.announce_outbox();
