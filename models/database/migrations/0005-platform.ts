import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** The audit log of each organization, the outbox, and the counters of throttles. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE audit_log (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      actor_user_id uuid REFERENCES users,
      action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
      subject_type text NOT NULL,
      subject_id uuid,
      request_id text CHECK (length(request_id) <= 100),
      ip_address text CHECK (length(ip_address) <= 60),
      before jsonb,
      after jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id)
    );
    CREATE INDEX audit_log_subject ON audit_log (organization_id, subject_type, subject_id, id);
    CREATE INDEX audit_log_actor ON audit_log (organization_id, actor_user_id, id);
    CREATE INDEX audit_log_request ON audit_log (organization_id, request_id) WHERE request_id IS NOT NULL;
    CREATE INDEX audit_log_action ON audit_log (organization_id, action, id);
    ${isolate('audit_log', runtime, { appendOnly: true })}

    -- written with the fact it announces, dispatched after commit; the relay takes what a crash left behind
    CREATE TABLE outbox (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      process text NOT NULL,
      workflow_id text NOT NULL,
      input jsonb NOT NULL,
      signal text,
      request_id text,
      attempts integer NOT NULL DEFAULT 0,
      last_error text,
      not_before timestamptz NOT NULL DEFAULT now(),
      dispatched_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX outbox_waiting ON outbox (not_before, id) WHERE dispatched_at IS NULL;
    CREATE INDEX outbox_done ON outbox (dispatched_at) WHERE dispatched_at IS NOT NULL;
    GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO ${runtime};
    CREATE FUNCTION app.announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('outbox', ''); RETURN NULL; END $$;
    CREATE TRIGGER outbox_announce AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION app.announce_outbox();

    CREATE TABLE throttles (
      scope text NOT NULL,
      key text NOT NULL,
      hits integer NOT NULL,
      resets_at timestamptz NOT NULL,
      PRIMARY KEY (scope, key)
    );
    CREATE INDEX throttles_expired ON throttles (resets_at);
    GRANT SELECT, INSERT, UPDATE, DELETE ON throttles TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run('DROP TABLE throttles, outbox, audit_log; DROP FUNCTION app.announce_outbox();');
