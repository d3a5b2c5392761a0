-- Enqueues an intent from a trigger, as `enqueue` (models/database/outbox.ts) does. A test compares names and ids
-- with the process contracts.
CREATE OR REPLACE FUNCTION app.enqueue(p_process text, p_workflow_id text, p_input jsonb, p_signal text DEFAULT NULL)
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (organization_id, process, workflow_id, input, signal)
  VALUES ((p_input ->> 'organizationId')::uuid, p_process, p_workflow_id, p_input, p_signal) $$;
