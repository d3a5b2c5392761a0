-- How many consents an organization waits for from somebody. It asks for none yet: whatever keeps consents says here which are
-- missing, and the item of onboarding follows.
CREATE OR REPLACE FUNCTION app.consents_due(p_organization uuid, p_user uuid) RETURNS integer
  LANGUAGE sql STABLE AS $$ SELECT 0 $$;
