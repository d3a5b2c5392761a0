-- Creates a profile (one per person and organization) and onboarding items (per membership) for all memberships that a
-- statement inserts, no matter which code inserts them. Erased people get none.
CREATE OR REPLACE FUNCTION app.welcome_members() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- Inserts in a fixed order, because two concurrent inserts of the same people could otherwise deadlock
  INSERT INTO member_profiles (organization_id, user_id)
    SELECT DISTINCT organization_id, user_id FROM added ORDER BY organization_id, user_id ON CONFLICT DO NOTHING;
  INSERT INTO onboarding_items (organization_id, membership_id, item)
    SELECT organization_id, id, item FROM added CROSS JOIN unnest(ARRAY['profile', 'consents', 'sign_in']) item;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.welcome_members() FROM PUBLIC;

CREATE OR REPLACE TRIGGER memberships_welcome AFTER INSERT ON memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.welcome_members();
