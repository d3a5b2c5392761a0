-- One version runs through all of an organization's stores: whoever saw one of them is stale once another takes its place.
CREATE OR REPLACE FUNCTION app.number_storage_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := 1 + coalesce((SELECT max(c.version) FROM storage_configs c WHERE c.organization_id = NEW.organization_id), 0);
  RETURN NEW;
END $$;
-- After the trigger that counts each row by itself: triggers run in the order of their names.
CREATE OR REPLACE TRIGGER storage_configs_version BEFORE INSERT OR UPDATE ON storage_configs
  FOR EACH ROW EXECUTE FUNCTION app.number_storage_config();
