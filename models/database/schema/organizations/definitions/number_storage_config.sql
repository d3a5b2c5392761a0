-- Takes the versions of all storage configurations of an organization from one sequence. So if a configuration is
-- replaced while a person edits the old one, the version that this person sends does not match the new configuration.
CREATE OR REPLACE FUNCTION app.number_storage_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := 1 + coalesce((SELECT max(c.version) FROM storage_configs c WHERE c.organization_id = NEW.organization_id), 0);
  RETURN NEW;
END $$;
-- The name makes this trigger run after the touch trigger, because triggers run in the order of their names.
CREATE OR REPLACE TRIGGER storage_configs_version BEFORE INSERT OR UPDATE ON storage_configs
  FOR EACH ROW EXECUTE FUNCTION app.number_storage_config();
