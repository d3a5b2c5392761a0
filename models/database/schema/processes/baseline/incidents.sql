-- Processes that are stuck. Written by the steps of processes and by the process that compares this table with Temporal;
-- deleted when the process has recovered or ended. It holds ids only, and no row of a healthy process.
CREATE TABLE process_incidents (
  workflow_id text PRIMARY KEY CHECK (length(workflow_id) BETWEEN 1 AND 1000),
  -- null: a process of a person, or one that a Schedule starts. There is no foreign key: one process whose organization
  -- does not exist must not keep others from being recorded.
  organization_id uuid,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,60}$'),
  input jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(input) = 'object'),
  subject_id text,
  chapter_id uuid,
  -- attempts: a step has failed four times; task_failed: an error in the code of the process; age: it runs for longer
  -- than expected; no_process: a row is pending, and no process runs for it
  reason text NOT NULL CHECK (reason IN ('attempts', 'task_failed', 'age', 'no_process')),
  -- the last known status in Temporal; waiting: Temporal does not know the process
  status text NOT NULL
    CHECK (status IN ('waiting', 'running', 'completed', 'failed', 'cancelled', 'terminated', 'timed_out')),
  started_at timestamptz NOT NULL,
  -- when the admins were notified that money has or may have moved
  notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX process_incidents_list ON process_incidents (organization_id, created_at, workflow_id);
CREATE INDEX process_incidents_oldest ON process_incidents (created_at, workflow_id);
