-- One version number for all storage configurations of an organization: an editor who saw one is stale once another
-- replaces it.
CREATE OR REPLACE FUNCTION app.number_storage_config() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := 1 + coalesce((SELECT max(c.version) FROM storage_configs c WHERE c.organization_id = NEW.organization_id), 0);
  RETURN NEW;
END $$;
-- Named to run after the touch trigger: triggers run in name order.
CREATE OR REPLACE TRIGGER storage_configs_version BEFORE INSERT OR UPDATE ON storage_configs
  FOR EACH ROW EXECUTE FUNCTION app.number_storage_config();
