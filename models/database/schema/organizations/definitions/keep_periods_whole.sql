-- At commit, requires that a membership's history has no gaps or overlaps and ends in its current state.
CREATE OR REPLACE FUNCTION app.keep_periods_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of membership_periods := coalesce(NEW, OLD);
BEGIN
  IF EXISTS (
    SELECT FROM memberships m
      LEFT JOIN LATERAL (
        SELECT p.status, p.role, p.ordinal, p.valid_to,
               lead(p.valid_from) OVER (ORDER BY p.ordinal) AS next_from,
               row_number() OVER (ORDER BY p.ordinal) AS place
          FROM membership_periods p WHERE p.organization_id = m.organization_id AND p.membership_id = m.id) period ON true
     WHERE m.organization_id = of.organization_id AND m.id = of.membership_id
       AND (period.ordinal IS NULL OR period.ordinal <> period.place OR period.valid_to IS DISTINCT FROM period.next_from
         OR (period.valid_to IS NULL AND (period.status, period.role) <> (m.status, m.role)))) THEN
    RAISE EXCEPTION 'the history of membership % has a gap or an overlap', of.membership_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'membership_periods_whole';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS membership_periods_whole ON membership_periods;
CREATE CONSTRAINT TRIGGER membership_periods_whole AFTER INSERT OR UPDATE OR DELETE ON membership_periods
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.keep_periods_whole();
