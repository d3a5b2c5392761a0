-- Refuses new chapters and admins of an inactive region; existing ones stay.
CREATE OR REPLACE FUNCTION app.keep_to_active_regions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM regions r WHERE r.organization_id = NEW.organization_id AND r.id = NEW.region_id FOR SHARE;
  IF EXISTS (SELECT FROM regions r
              WHERE r.organization_id = NEW.organization_id AND r.id = NEW.region_id AND NOT r.is_active) THEN
    RAISE EXCEPTION 'an inactive region cannot get chapters or admins'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'region_not_active';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER chapters_in_active_region BEFORE INSERT ON chapters
  FOR EACH ROW WHEN (NEW.region_id IS NOT NULL) EXECUTE FUNCTION app.keep_to_active_regions();
CREATE OR REPLACE TRIGGER chapters_to_active_region BEFORE UPDATE OF region_id ON chapters
  FOR EACH ROW WHEN (NEW.region_id IS NOT NULL AND NEW.region_id IS DISTINCT FROM OLD.region_id)
  EXECUTE FUNCTION app.keep_to_active_regions();
CREATE OR REPLACE TRIGGER regional_admins_in_active_region BEFORE INSERT ON regional_admins
  FOR EACH ROW EXECUTE FUNCTION app.keep_to_active_regions();
