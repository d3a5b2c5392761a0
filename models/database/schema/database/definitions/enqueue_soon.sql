-- Enqueues a debounced signal, due in a second. Calls for the same workflow within that second become one signal, so
-- that a burst does not flood the process. A trigger (join_outbox.sql) drops the superfluous rows at commit, not here:
-- a long transaction would otherwise rely on a signal that is sent before its own rows are visible.
CREATE OR REPLACE FUNCTION app.enqueue_soon(p_process text, p_workflow_id text, p_input jsonb)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal, not_before)
  VALUES ((p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, 'due', now() + interval '1 second') $$;
