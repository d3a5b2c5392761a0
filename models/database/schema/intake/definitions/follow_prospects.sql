-- Creates the intake profile of each prospective member (status pnm), and records a crossing when one becomes a member,
-- no matter which code changes the status. A return to pnm reverts the crossing. The context of the change is in
-- app.membership_change.
CREATE OR REPLACE FUNCTION app.follow_prospects() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said jsonb := nullif(current_setting('app.membership_change', true), '')::jsonb;
  crossing uuid;
BEGIN
  IF NEW.status = 'pnm' THEN
    UPDATE crossings SET reverted_at = now(), reverted_by = (said ->> 'actor')::uuid
     WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND reverted_at IS NULL;
    INSERT INTO pnm_profiles (organization_id, chapter_id, membership_id, recruitment_period_id)
      VALUES (NEW.organization_id, NEW.chapter_id, NEW.id,
              (SELECT id FROM recruitment_periods WHERE organization_id = NEW.organization_id AND status = 'active' FOR SHARE))
      ON CONFLICT ON CONSTRAINT pnm_profiles_one_a_membership DO UPDATE
         SET stage = CASE pnm_profiles.stage WHEN 'completed' THEN 'in_progress' ELSE 'not_started' END,
             stage_reason = NULL, crossed_at = NULL, closed_from = NULL,
             recruitment_period_id = CASE pnm_profiles.stage WHEN 'completed' THEN pnm_profiles.recruitment_period_id
               ELSE coalesce(excluded.recruitment_period_id, pnm_profiles.recruitment_period_id) END
       WHERE pnm_profiles.stage IN ('completed', 'rejected', 'withdrawn');
    -- An intake whose recruitment period is closed cannot begin again. A transferred prospect is exempt and keeps their
    -- state.
    IF said ->> 'source' IS DISTINCT FROM 'transfer' AND EXISTS (
      SELECT FROM pnm_profiles p JOIN recruitment_periods r ON r.organization_id = p.organization_id AND r.id = p.recruitment_period_id
       WHERE p.organization_id = NEW.organization_id AND p.membership_id = NEW.id AND p.stage = 'not_started' AND r.status = 'closed')
    THEN
      RAISE EXCEPTION 'the recruitment period is closed' USING ERRCODE = 'check_violation', CONSTRAINT = 'pnm_profiles_period_runs';
    END IF;
  ELSIF app.gives_access(NEW.status) THEN
    UPDATE pnm_profiles SET stage = 'completed', stage_reason = NULL, crossed_at = coalesce(crossed_at, now())
     WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND stage <> 'completed';
    INSERT INTO crossings (organization_id, membership_id, profile_id, crossed_at, started_by)
      SELECT NEW.organization_id, NEW.id, p.id, coalesce(p.crossed_at, now()), (said ->> 'actor')::uuid
        FROM (SELECT) one LEFT JOIN pnm_profiles p ON p.organization_id = NEW.organization_id AND p.membership_id = NEW.id
      ON CONFLICT DO NOTHING RETURNING id INTO crossing;
    IF crossing IS NOT NULL THEN
      PERFORM app.enqueue('cross', 'crossing/' || crossing,
                          jsonb_build_object('organizationId', NEW.organization_id, 'crossingId', crossing));
    END IF;
  ELSE
    UPDATE pnm_profiles SET stage = 'rejected' WHERE organization_id = NEW.organization_id AND membership_id = NEW.id
       AND stage NOT IN ('completed', 'rejected', 'withdrawn');
    UPDATE pnm_name_assignments a SET status = 'withdrawn' FROM pnm_profiles p
     WHERE p.organization_id = NEW.organization_id AND p.membership_id = NEW.id AND a.organization_id = NEW.organization_id
       AND a.profile_id = p.id AND a.status = 'proposed';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER memberships_prospects_begin AFTER INSERT ON memberships
  FOR EACH ROW WHEN (NEW.status = 'pnm') EXECUTE FUNCTION app.follow_prospects();
CREATE OR REPLACE TRIGGER memberships_prospects AFTER UPDATE OF status ON memberships
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND 'pnm' IN (NEW.status, OLD.status)) EXECUTE FUNCTION app.follow_prospects();
