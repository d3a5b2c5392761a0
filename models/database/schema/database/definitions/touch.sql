-- Maintains updated_at, and version where the table has one.
CREATE OR REPLACE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  IF to_jsonb(NEW) ? 'version' THEN
    NEW := jsonb_populate_record(NEW, jsonb_build_object('version', (to_jsonb(OLD)->>'version')::int + 1));
  END IF;
  RETURN NEW;
END $$;
