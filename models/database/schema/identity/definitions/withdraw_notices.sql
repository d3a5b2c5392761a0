-- What nobody is to read any more of is mailed no more. One that is being sent at this moment goes.
CREATE OR REPLACE FUNCTION app.withdraw_notices(p_about uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM account_notices WHERE id IN (SELECT n.id FROM account_notices n
    WHERE n.outcome IS NULL AND n.facts ? 'about' AND n.facts->>'about' = p_about::text FOR UPDATE SKIP LOCKED) $$;
