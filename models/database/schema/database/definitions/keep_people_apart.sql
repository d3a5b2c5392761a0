-- Keeps personal data out of the audit log. The log entry is permanent and keeps the actor's id, the action, the time,
-- the names of the fields and the values of `_id` fields. All other values about people go to audit_values, one row per
-- person, and can be erased.
CREATE OR REPLACE FUNCTION app.keep_people_apart() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  -- the IP address belongs to the actor, or to the person concerned when there is no actor, as for a refused sign-in
  at_address uuid := CASE WHEN NEW.ip_address IS NOT NULL THEN coalesce(NEW.actor_user_id, NEW.person_id) END;
  described uuid := CASE WHEN NEW.before IS NOT NULL OR NEW.after IS NOT NULL THEN NEW.person_id END;
BEGIN
  NEW.people := 0;
  IF described IS NOT NULL THEN
    INSERT INTO audit_values (organization_id, entry_id, user_id, ip_address, before, after)
      VALUES (NEW.organization_id, NEW.id, described, CASE WHEN at_address = described THEN NEW.ip_address END,
              NEW.before, NEW.after);
    NEW.people := 1;
    SELECT jsonb_object_agg(key, CASE WHEN key ~ '_id$' THEN value ELSE 'null' END) INTO NEW.before FROM jsonb_each(NEW.before);
    SELECT jsonb_object_agg(key, CASE WHEN key ~ '_id$' THEN value ELSE 'null' END) INTO NEW.after FROM jsonb_each(NEW.after);
  END IF;
  IF at_address IS NOT NULL THEN
    IF at_address IS DISTINCT FROM described THEN
      INSERT INTO audit_values (organization_id, entry_id, user_id, ip_address)
        VALUES (NEW.organization_id, NEW.id, at_address, NEW.ip_address);
      NEW.people := NEW.people + 1;
    END IF;
    NEW.ip_address := NULL;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION app.keep_people_apart() FROM PUBLIC;

CREATE OR REPLACE TRIGGER audit_log_people BEFORE INSERT ON audit_log FOR EACH ROW
  WHEN (NEW.ip_address IS NOT NULL OR NEW.person_id IS NOT NULL) EXECUTE FUNCTION app.keep_people_apart();
