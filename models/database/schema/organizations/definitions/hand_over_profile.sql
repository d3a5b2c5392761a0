-- Moves a placeholder's profile to the account that replaces it, unless the account has a profile already.
CREATE OR REPLACE FUNCTION app.hand_over_profile() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM memberships m WHERE m.organization_id = OLD.organization_id AND m.user_id = OLD.user_id) THEN
    UPDATE member_profiles SET user_id = NEW.user_id
     WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id AND NOT EXISTS (
       SELECT FROM member_profiles own WHERE own.organization_id = NEW.organization_id AND own.user_id = NEW.user_id);
    DELETE FROM member_profiles WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  END IF;
  INSERT INTO member_profiles (organization_id, user_id) VALUES (NEW.organization_id, NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.hand_over_profile() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_profile AFTER UPDATE OF user_id ON memberships
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id) EXECUTE FUNCTION app.hand_over_profile();
