-- Enqueues a debounced signal, due in a second. Calls for one workflow within that second become one signal, so that a
-- burst does not flood the process. A trigger (join_outbox.sql) drops the superfluous rows, and only at commit: if a
-- long transaction dropped its row at once, the earlier signal on which it relies could be sent before the rows of this
-- transaction are visible.
CREATE OR REPLACE FUNCTION app.enqueue_soon(p_process text, p_workflow_id text, p_input jsonb)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal, not_before)
  VALUES ((p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, 'due', now() + interval '1 second') $$;
