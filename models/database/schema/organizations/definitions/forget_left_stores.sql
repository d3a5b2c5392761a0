-- Deletes former storage configurations, with their secrets, that hold no files any more. A configuration that was
-- changed within the last hour is kept, because an upload that began before may still write its row.
CREATE OR REPLACE FUNCTION app.forget_left_stores() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM storage_configs c
   WHERE NOT c.is_active AND c.updated_at < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM stored_files f WHERE f.organization_id = c.organization_id AND f.storage_config_id = c.id)
     AND NOT EXISTS (SELECT FROM stored_file_copies f WHERE f.organization_id = c.organization_id AND f.storage_config_id = c.id)
     AND NOT EXISTS (SELECT FROM storage_migrations m WHERE m.organization_id = c.organization_id AND m.ended_at IS NULL
                      AND c.id IN (m.from_config_id, m.to_config_id)) $$;
REVOKE ALL ON FUNCTION app.forget_left_stores() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_left_stores() TO :"runtime";
