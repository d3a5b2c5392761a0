-- Maintains affiliations of the kind that the trigger names. A placeholder has none, and holds no office before its
-- person accepts.
CREATE OR REPLACE FUNCTION app.keep_affiliation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  who uuid; stands boolean; wanted text := TG_ARGV[0]; home uuid;
BEGIN
  FOR who IN SELECT DISTINCT id FROM unnest(ARRAY[
      CASE WHEN TG_OP <> 'INSERT' THEN OLD.user_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.user_id END]) AS id
      WHERE id IS NOT NULL ORDER BY id LOOP
    -- Locks the person, so that concurrent transactions about one person run one after the other, and each sees which
    -- affiliations the other has kept or deleted
    SELECT placeholder_in INTO home FROM users WHERE id = who FOR NO KEY UPDATE;
    IF home IS NOT NULL THEN
      IF home <> coalesce(NEW.organization_id, OLD.organization_id) THEN
        RAISE EXCEPTION 'a placeholder cannot join another organization'
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'placeholder_elsewhere';
      END IF;
      IF TG_OP <> 'DELETE' AND to_jsonb(NEW) ->> 'user_id' = who::text AND to_jsonb(NEW) ->> 'is_active' = 'true' THEN
        RAISE EXCEPTION 'a placeholder cannot hold an office'
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'invitation_open';
      END IF;
      CONTINUE;
    END IF;
    IF TG_OP = 'UPDATE' AND who = OLD.user_id AND NEW.user_id <> OLD.user_id THEN
      RAISE EXCEPTION 'a row cannot be reassigned to another person'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'person_stays';
    END IF;
    stands := CASE wanted
      WHEN 'member' THEN EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = who
        AND m.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND app.gives_access(m.status))
      WHEN 'organization_admin' THEN EXISTS (SELECT 1 FROM organization_admins a WHERE a.user_id = who
        AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active)
      ELSE EXISTS (SELECT 1 FROM regional_admins a WHERE a.user_id = who
        AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active) END;
    IF stands THEN
      INSERT INTO affiliations (user_id, organization_id, kind)
        VALUES (who, coalesce(NEW.organization_id, OLD.organization_id), wanted) ON CONFLICT DO NOTHING;
    ELSE
      DELETE FROM affiliations WHERE user_id = who AND kind = wanted
        AND organization_id = coalesce(NEW.organization_id, OLD.organization_id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_affiliation
  AFTER INSERT OR DELETE OR UPDATE OF user_id, status ON memberships
  FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('member');
CREATE OR REPLACE TRIGGER organization_admins_affiliation
  AFTER INSERT OR DELETE OR UPDATE OF user_id, is_active ON organization_admins
  FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('organization_admin');
CREATE OR REPLACE TRIGGER regional_admins_affiliation
  AFTER INSERT OR DELETE OR UPDATE OF user_id, is_active ON regional_admins
  FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('regional_admin');
