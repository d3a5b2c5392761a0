-- The look-up of somebody who changes rows of their own in the same message, before anybody has seen its answer: as
-- `load_actor` of whoever belongs, but who may not change anything here has no tenant, and so finds nothing to change. The
-- same cases are refused by `admit` (api/http/admit.ts). An impersonation's transaction is read-only besides.
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
