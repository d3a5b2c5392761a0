-- Serializes concurrent spending of one payer's credit (advisory lock).
CREATE OR REPLACE FUNCTION app.lock_credit(p_chapter uuid, p_membership uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_chapter::text || coalesce(p_membership::text, ''), 7)) $$;
