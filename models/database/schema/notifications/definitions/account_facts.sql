-- Facts of an account for a notification to its owner. The object is empty, because the texts need no facts.
CREATE OR REPLACE FUNCTION app.account_facts(p_organization uuid, p_account uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT '{}'::jsonb WHERE p_account = p_recipient $$;
