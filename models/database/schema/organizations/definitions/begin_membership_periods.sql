-- Begins the history of all memberships that a statement inserts, no matter which code inserts them. The context of the
-- change is in app.membership_change, as in write_membership_period.sql.
CREATE OR REPLACE FUNCTION app.begin_membership_periods() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  said jsonb := nullif(current_setting('app.membership_change', true), '')::jsonb;
BEGIN
  WITH days AS MATERIALIZED (
    SELECT id AS organization_id, app.local_day(timezone) AS today FROM organizations
     WHERE id IN (SELECT organization_id FROM added))
  INSERT INTO membership_periods (organization_id, chapter_id, membership_id, ordinal, status, role, valid_from, source,
                                  actor_user_id, reason)
    SELECT organization_id, a.chapter_id, a.id, 1, a.status, a.role, least(a.joined_date, days.today),
           coalesce(said ->> 'source', 'added'), (said ->> 'actor')::uuid, said ->> 'reason'
      FROM added a JOIN days USING (organization_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.begin_membership_periods() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_periods_begin AFTER INSERT ON memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.begin_membership_periods();
