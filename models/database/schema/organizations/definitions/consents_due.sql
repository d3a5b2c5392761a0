-- Number of consents due from a person. The onboarding item for consents is done when it is 0.
CREATE OR REPLACE FUNCTION app.consents_due(p_organization uuid, p_user uuid) RETURNS integer
  LANGUAGE sql STABLE AS $$ SELECT count(*)::integer FROM app.consents_asked(p_organization, p_user) WHERE is_due $$;
