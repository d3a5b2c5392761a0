-- Whoever relays the outbox listens.
CREATE OR REPLACE FUNCTION app.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('outbox', ''); RETURN NULL; END $$;

CREATE OR REPLACE TRIGGER outbox_announce AFTER INSERT ON outbox
  FOR EACH STATEMENT EXECUTE FUNCTION app.announce_outbox();
