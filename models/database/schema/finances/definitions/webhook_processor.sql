-- Returns the tenant of a processor, and its encrypted webhook secrets that are still valid. SECURITY DEFINER, because
-- the tenant of a webhook is unknown until its signature is checked.
CREATE OR REPLACE FUNCTION app.webhook_processor(p_id uuid)
  RETURNS TABLE (organization_id uuid, provider text, webhook_secret_encrypted text,
                 previous_webhook_secret_encrypted text, is_disabled boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT organization_id, provider, webhook_secret_encrypted,
         CASE WHEN previous_webhook_secret_expires_at > now() THEN previous_webhook_secret_encrypted END,
         disabled_at IS NOT NULL
    FROM org_payment_processors WHERE id = p_id $$;
REVOKE ALL ON FUNCTION app.webhook_processor(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.webhook_processor(uuid) TO :"runtime";
