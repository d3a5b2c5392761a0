-- Deletes unsent notices about a subject that is gone. A notice that is being sent at this moment still goes out.
CREATE OR REPLACE FUNCTION app.withdraw_notices(p_about uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM account_notices WHERE id IN (SELECT n.id FROM account_notices n
    WHERE n.outcome IS NULL AND n.facts ? 'about' AND n.facts->>'about' = p_about::text FOR UPDATE SKIP LOCKED) $$;
