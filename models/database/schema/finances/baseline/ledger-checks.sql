-- Checks of the rules of the ledger in one organization, with their results.
CREATE TABLE ledger_checks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','passed','failed','cancelled')),
  -- number of rows that all rules together examined
  examined integer NOT NULL DEFAULT 0 CHECK (examined >= 0),
  -- each rule with its number of examined rows and the first rows that break it
  rules jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(rules) = 'array'),
  -- the person who started the check; null for a nightly one
  requested_by uuid REFERENCES users,
  -- the date (UTC) of a nightly check; null for a check that a person started
  night date,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  UNIQUE (organization_id, id),
  CONSTRAINT ledger_checks_finished CHECK ((status = 'running') = (finished_at IS NULL)),
  CONSTRAINT ledger_checks_started_by CHECK (requested_by IS NULL OR night IS NULL)
);
CREATE UNIQUE INDEX ledger_checks_one_a_night ON ledger_checks (organization_id, night) WHERE night IS NOT NULL;
CREATE UNIQUE INDEX ledger_checks_one_running ON ledger_checks (organization_id) WHERE status = 'running';
CREATE INDEX ledger_checks_list ON ledger_checks (organization_id, started_at, id);
