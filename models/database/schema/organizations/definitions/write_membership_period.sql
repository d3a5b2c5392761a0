-- Writes the history of a membership whenever it changes, no matter which code changes it; begin_membership_periods.sql
-- begins the history. The context of the change (source, actor, reason, and the effective date or the earliest one) is
-- in app.membership_change, as JSON.
CREATE OR REPLACE FUNCTION app.write_membership_period() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  said jsonb := nullif(current_setting('app.membership_change', true), '')::jsonb;
  today date;
  begins date;
  last membership_periods;
BEGIN
  SELECT app.local_day(timezone) INTO STRICT today FROM organizations WHERE id = NEW.organization_id;
  -- A corrected join date moves the start of the first period, but not beyond its end or today.
  IF NEW.joined_date IS DISTINCT FROM OLD.joined_date AND NEW.joined_date IS NOT NULL THEN
    UPDATE membership_periods SET valid_from = least(NEW.joined_date, today, valid_to)
     WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND ordinal = 1;
  END IF;
  IF NEW.status = OLD.status AND NEW.role = OLD.role THEN RETURN NULL; END IF;
  SELECT * INTO STRICT last FROM membership_periods
   WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND valid_to IS NULL;
  begins := coalesce((said ->> 'effective_on')::date, greatest(least((said ->> 'not_before')::date, today), last.valid_from));
  IF begins < last.valid_from THEN
    RAISE EXCEPTION 'this membership has a change on a later day'
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'later_change_exists';
  END IF;
  UPDATE membership_periods SET valid_to = begins WHERE organization_id = NEW.organization_id AND id = last.id;
  INSERT INTO membership_periods (organization_id, chapter_id, membership_id, ordinal, status, role, valid_from, source,
                                  actor_user_id, reason)
    VALUES (NEW.organization_id, NEW.chapter_id, NEW.id, last.ordinal + 1, NEW.status, NEW.role, begins,
            coalesce(said ->> 'source', 'unknown'), (said ->> 'actor')::uuid, said ->> 'reason');
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.write_membership_period() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_period AFTER UPDATE OF status, role, joined_date ON memberships
  FOR EACH ROW EXECUTE FUNCTION app.write_membership_period();
