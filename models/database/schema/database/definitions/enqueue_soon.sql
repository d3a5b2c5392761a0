-- The same as `enqueue` for a process that goes through rows, a second from now. Whoever comes within that second joins the
-- one who asked first, so that a burst is one signal. That is decided at the commit: a transaction that takes long would
-- else join somebody whose signal comes before its rows are there to be seen.
CREATE OR REPLACE FUNCTION app.enqueue_soon(p_process text, p_workflow_id text, p_input jsonb)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal, not_before)
  VALUES ((p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, 'due', now() + interval '1 second') $$;
