-- Actor look-up of a single-message write, whose change runs before the look-up's result is known. Like `load_actor`
-- for members, but a caller without the right gets no tenant and therefore finds nothing to change. `admit`
-- (api/http/admit.ts) refuses the same cases. Transactions of an impersonation are read-only in addition.
CREATE OR REPLACE FUNCTION app.load_changer(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid,
                                            p_timeout_ms int, p_switches int) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  who json := app.load_actor(p_session, p_user, p_token_org, p_header_org, p_timeout_ms, false, p_switches);
BEGIN
  IF coalesce((who ->> 'must_change_password')::boolean OR who ->> 'belongs' IS NULL
       OR NOT ((who ->> 'belongs')::boolean OR (who ->> 'is_platform_admin')::boolean), true) THEN
    PERFORM set_config('app.organization_id', '', true);
  END IF;
  RETURN who;
END $$;
