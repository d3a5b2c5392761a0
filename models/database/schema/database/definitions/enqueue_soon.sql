-- Enqueues a debounced signal, due in a second, for a process that goes through rows: requests within that second
-- join the first one, so that a burst is one signal. Joining is decided at the commit: a long transaction would
-- otherwise join a signal that is sent before its rows are visible.
CREATE OR REPLACE FUNCTION app.enqueue_soon(p_process text, p_workflow_id text, p_input jsonb)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal, not_before)
  VALUES ((p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, 'due', now() + interval '1 second') $$;
