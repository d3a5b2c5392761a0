-- The same as `enqueue` for a process that goes through rows, a second from now. Whoever comes within that second joins the
-- one who asked first, so that a burst is one signal; the last half of it is left for a transaction that is still to commit.
-- One that takes longer has to be found by a schedule.
CREATE OR REPLACE FUNCTION app.enqueue_soon(p_process text, p_workflow_id text, p_input jsonb, p_signal text)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal, not_before)
  SELECT (p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, p_signal, clock_timestamp() + interval '1 second'
   WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.workflow_id = p_workflow_id AND o.signal = p_signal
     AND o.dispatched_at IS NULL AND o.not_before > clock_timestamp() + interval '500 milliseconds') $$;
