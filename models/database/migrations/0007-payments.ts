import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

const ID = `id uuid PRIMARY KEY DEFAULT uuidv7(), organization_id uuid NOT NULL REFERENCES organizations`;

/** What was paid: processors, attempts, captures, payments, credit and remittances. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE org_payment_processors (
      ${ID},
      provider text NOT NULL CHECK (provider IN ('stripe','square','paypal','authorize_net')),
      label text NOT NULL CHECK (length(label) BETWEEN 1 AND 100),
      account_reference text CHECK (length(account_reference) <= 200),
      publishable_key text CHECK (length(publishable_key) <= 300),
      secret_key_encrypted text NOT NULL,
      webhook_secret_encrypted text NOT NULL,
      previous_webhook_secret_encrypted text,
      disabled_at timestamptz,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id)
    );
    CREATE UNIQUE INDEX payment_processors_one_active ON org_payment_processors (organization_id) WHERE disabled_at IS NULL;
    ${touched('org_payment_processors')}
    ${isolate('org_payment_processors', runtime)}

    -- A webhook names a processor before it proves a tenant: this answers with the tenant and the sealed secrets only.
    CREATE FUNCTION app.webhook_processor(p_id uuid)
      RETURNS TABLE (organization_id uuid, provider text, webhook_secret_encrypted text, previous_webhook_secret_encrypted text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT organization_id, provider, webhook_secret_encrypted, previous_webhook_secret_encrypted
          FROM org_payment_processors WHERE id = p_id $$;
    REVOKE ALL ON FUNCTION app.webhook_processor(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION app.webhook_processor(uuid) TO ${runtime};

    CREATE TABLE chapter_remittances (
      ${ID},
      chapter_id uuid NOT NULL,
      created_by uuid NOT NULL REFERENCES users,
      currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
      total_cents bigint NOT NULL CHECK (total_cents > 0),
      processor_payment_id text CHECK (processor_payment_id <> ''),
      settled_at timestamptz,
      reconciliation_flagged_at timestamptz,
      reconciliation_amount_cents bigint CHECK (reconciliation_amount_cents > 0),
      reconciliation_reason text CHECK (reconciliation_reason IN
        ('allocation_stale','amount_mismatch','settlement_failed','second_capture')),
      reconciliation_note text CHECK (length(reconciliation_note) <= 2000),
      resolved_at timestamptz,
      resolved_by uuid REFERENCES users,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      CHECK ((reconciliation_flagged_at IS NULL) = (reconciliation_amount_cents IS NULL)),
      CHECK ((reconciliation_flagged_at IS NULL) = (reconciliation_reason IS NULL)),
      CHECK (resolved_at IS NULL OR reconciliation_flagged_at IS NOT NULL),
      CONSTRAINT remittance_money_has_a_charge CHECK
        ((settled_at IS NULL AND reconciliation_flagged_at IS NULL) OR processor_payment_id IS NOT NULL),
      UNIQUE (organization_id, id),
      UNIQUE (organization_id, chapter_id, id),
      CONSTRAINT remittances_processor_payment_unique UNIQUE (organization_id, processor_payment_id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
    );
    CREATE INDEX remittances_chapter ON chapter_remittances (organization_id, chapter_id, id);
    ${touched('chapter_remittances')}
    ${isolate('chapter_remittances', runtime)}

    CREATE TABLE payment_attempts (
      ${ID},
      remittance_id uuid,
      invoice_id uuid,
      processor_id uuid NOT NULL,
      payment_method text CHECK (length(payment_method) BETWEEN 1 AND 200),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','succeeded','failed','flagged')),
      intent_id text CHECK (intent_id <> ''),
      captured_cents bigint CHECK (captured_cents > 0),
      checkout_session_id text CHECK (checkout_session_id <> ''),
      checkout_url text,
      checkout_expires_at timestamptz,
      failure_code text CHECK (length(failure_code) <= 100),
      failure_message text CHECK (length(failure_message) <= 500),
      requested_by uuid REFERENCES users,
      finished_at timestamptz,
      ${TIMES},
      CONSTRAINT attempt_subject CHECK ((remittance_id IS NULL) <> (invoice_id IS NULL)),
      CHECK ((status = 'pending') = (finished_at IS NULL)),
      UNIQUE (organization_id, id),
      CONSTRAINT attempts_intent_unique UNIQUE (organization_id, intent_id),
      FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
    );
    -- ten clicks on 'pay' are one attempt
    CREATE UNIQUE INDEX attempts_one_live_per_remittance ON payment_attempts (organization_id, remittance_id)
      WHERE status = 'pending' AND remittance_id IS NOT NULL;
    CREATE INDEX attempts_remittance ON payment_attempts (organization_id, remittance_id, id) WHERE remittance_id IS NOT NULL;
    CREATE INDEX attempts_invoice ON payment_attempts (organization_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
    ${touched('payment_attempts')}
    ${isolate('payment_attempts', runtime)}

    -- Money that a processor says it took: written once per intent, by whoever learns of it first.
    CREATE TABLE processor_captures (
      ${ID},
      processor_id uuid NOT NULL,
      intent_id text NOT NULL CHECK (intent_id <> ''),
      remittance_id uuid,
      invoice_id uuid,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
      disposition text NOT NULL CHECK (disposition IN ('recorded','flagged','resolved')),
      ${TIMES},
      CHECK (remittance_id IS NULL OR invoice_id IS NULL),
      CHECK (remittance_id IS NOT NULL OR invoice_id IS NOT NULL OR disposition = 'flagged'),
      UNIQUE (organization_id, id),
      CONSTRAINT captures_intent_unique UNIQUE (organization_id, processor_id, intent_id),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id),
      FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id)
    );
    CREATE INDEX captures_remittance ON processor_captures (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
    ${touched('processor_captures')}
    ${isolate('processor_captures', runtime)}

    CREATE TABLE payment_records (
      ${ID},
      invoice_id uuid NOT NULL,
      processor_id uuid,
      processor_payment_id text NOT NULL CHECK (processor_payment_id <> ''),
      intent_id text,
      remittance_id uuid,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      refunded_cents bigint NOT NULL DEFAULT 0,
      status text NOT NULL CHECK (status IN ('pending','failed','succeeded')),
      failure_code text CHECK (length(failure_code) <= 100),
      paid_at timestamptz,
      ${TIMES},
      CONSTRAINT payment_refund_within_amount CHECK (refunded_cents BETWEEN 0 AND amount_cents),
      CHECK ((status = 'succeeded') = (paid_at IS NOT NULL)),
      CHECK (remittance_id IS NULL OR processor_payment_id = remittance_id || ':' || invoice_id),
      UNIQUE (organization_id, id),
      CONSTRAINT payments_processor_payment_unique UNIQUE (organization_id, processor_payment_id),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
      FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
    );
    CREATE INDEX payments_invoice ON payment_records (organization_id, invoice_id, id);
    CREATE INDEX payments_remittance ON payment_records (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
    CREATE INDEX payments_intent ON payment_records (organization_id, intent_id) WHERE intent_id IS NOT NULL;
    ${touched('payment_records')}
    ${isolate('payment_records', runtime)}

    CREATE FUNCTION app.keep_payment_rank() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF array_position(ARRAY['pending','failed','succeeded'], NEW.status) < array_position(ARRAY['pending','failed','succeeded'], OLD.status) THEN
        RAISE EXCEPTION 'a payment does not fall back from % to %', OLD.status, NEW.status
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payment_status_rank';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER payment_records_rank BEFORE UPDATE OF status ON payment_records
      FOR EACH ROW EXECUTE FUNCTION app.keep_payment_rank();

    CREATE TABLE chapter_remittance_allocations (
      ${ID},
      remittance_id uuid NOT NULL,
      chapter_id uuid NOT NULL,
      invoice_id uuid NOT NULL,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      payment_record_id uuid,
      reserved_by_attempt_id uuid,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT allocations_invoice_once UNIQUE (organization_id, remittance_id, invoice_id),
      CONSTRAINT allocations_payment_unique UNIQUE (organization_id, payment_record_id),
      FOREIGN KEY (organization_id, chapter_id, remittance_id) REFERENCES chapter_remittances (organization_id, chapter_id, id),
      FOREIGN KEY (organization_id, chapter_id, invoice_id) REFERENCES chapter_invoices (organization_id, chapter_id, id),
      FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id),
      FOREIGN KEY (organization_id, reserved_by_attempt_id) REFERENCES payment_attempts (organization_id, id)
    );
    -- an invoice waits for the outcome of one charge at a time
    CREATE UNIQUE INDEX allocations_reserved_unique ON chapter_remittance_allocations (organization_id, invoice_id)
      WHERE reserved_by_attempt_id IS NOT NULL;
    CREATE INDEX allocations_invoice ON chapter_remittance_allocations (organization_id, invoice_id);
    ${touched('chapter_remittance_allocations')}
    ${isolate('chapter_remittance_allocations', runtime)}

    CREATE TABLE webhook_events (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      processor_id uuid NOT NULL,
      event_id text NOT NULL CHECK (length(event_id) BETWEEN 1 AND 200),
      type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
      payload jsonb NOT NULL,
      deliveries integer NOT NULL DEFAULT 1,
      outcome text CHECK (outcome IN ('applied','ignored')),
      processed_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((outcome IS NULL) = (processed_at IS NULL)),
      CONSTRAINT webhook_events_once UNIQUE (processor_id, event_id)
    );
    GRANT SELECT, INSERT, UPDATE ON webhook_events TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TABLE webhook_events, chapter_remittance_allocations, payment_records, processor_captures, payment_attempts,
      chapter_remittances;
    DROP FUNCTION app.webhook_processor(uuid);
    DROP TABLE org_payment_processors;
    DROP FUNCTION app.keep_payment_rank();
  `);
