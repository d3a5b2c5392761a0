-- Derives the role officer or president from the running terms; when the last term ends, the role ends. The trigger
-- does not run for changes of terms by keep_terms_to_role, because in that case the terms follow the role.
CREATE OR REPLACE FUNCTION app.keep_role_to_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization uuid := coalesce(NEW.organization_id, OLD.organization_id);
  membership uuid := coalesce(NEW.membership_id, OLD.membership_id);
  led text;
BEGIN
  SELECT CASE WHEN bool_or(position = 'president') THEN 'president' WHEN count(*) > 0 THEN 'officer' END INTO led
    FROM officer_terms WHERE organization_id = organization AND membership_id = membership AND ended_on IS NULL;
  UPDATE memberships SET role = coalesce(led, CASE status WHEN 'alumni' THEN 'alumni' ELSE 'member' END)
   WHERE organization_id = organization AND id = membership
     AND CASE WHEN led IS NULL THEN role IN ('officer', 'president') ELSE role <> led END;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER officer_terms_role AFTER INSERT OR DELETE OR UPDATE OF ended_on ON officer_terms
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION app.keep_role_to_terms();
