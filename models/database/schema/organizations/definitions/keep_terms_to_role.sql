-- Begins and ends officer terms when the role of a membership changes, no matter which code changes it. A backdated
-- change carries its date (write_membership_period.sql). When an import is undone, the terms that it ended are resumed.
CREATE OR REPLACE FUNCTION app.keep_terms_to_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said jsonb := nullif(current_setting('app.membership_change', true), '')::jsonb;
  day date;
BEGIN
  SELECT coalesce((said ->> 'effective_on')::date, app.local_day(timezone)) INTO STRICT day
    FROM organizations WHERE id = NEW.organization_id;
  UPDATE officer_terms SET ended_on = greatest(day, starts_on)
   WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND ended_on IS NULL
     AND (NEW.role NOT IN ('officer', 'president') OR (NEW.role = 'officer' AND position = 'president'));
  IF NEW.role IN ('officer', 'president') AND said ->> 'source' = 'import_undone' THEN
    UPDATE officer_terms t SET ended_on = NULL
     WHERE t.organization_id = NEW.organization_id AND t.membership_id = NEW.id AND t.ended_on IS NOT NULL
       AND (NEW.role = 'president' OR t.position <> 'president')
       -- Only terms that the import ended and that have not changed since
       AND t.updated_at = (SELECT max(r.done_at) FROM bulk_import_rows r
         WHERE r.organization_id = NEW.organization_id AND r.membership_id = NEW.id AND r.result = 'updated');
  END IF;
  IF NEW.role IN ('officer', 'president') AND NOT EXISTS (
    SELECT FROM officer_terms WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND ended_on IS NULL
       AND (NEW.role = 'officer' OR position = 'president')) THEN
    INSERT INTO officer_terms (organization_id, chapter_id, membership_id, position, title, starts_on)
    VALUES (NEW.organization_id, NEW.chapter_id, NEW.id, CASE NEW.role WHEN 'president' THEN 'president' ELSE 'other' END,
            CASE NEW.role WHEN 'officer' THEN 'Officer' END, day);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_terms_begin AFTER INSERT ON memberships
  FOR EACH ROW WHEN (NEW.role IN ('officer', 'president')) EXECUTE FUNCTION app.keep_terms_to_role();
-- The trigger is not limited to updates of the column role, because another trigger may have changed the role in the
-- same update.
CREATE OR REPLACE TRIGGER memberships_terms AFTER UPDATE ON memberships
  FOR EACH ROW WHEN (NEW.role IS DISTINCT FROM OLD.role) EXECUTE FUNCTION app.keep_terms_to_role();
