-- Notifies the relay of new outbox rows that are due at once. A row with a later not_before is dispatched by the
-- request that wrote it; if that fails, the relay finds the row when it is due.
CREATE OR REPLACE FUNCTION app.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM written WHERE not_before <= now()) THEN PERFORM pg_notify('outbox', ''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER outbox_announce AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.announce_outbox();
