import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** Credentials belong to the account that they were used for, and money that was for nothing here can be dealt with. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    ALTER TABLE org_payment_processors
      -- the provider's own id; null: connected before it was asked for, and learned at the next rotation
      ADD COLUMN gateway_account_id text CHECK (length(gateway_account_id) BETWEEN 1 AND 200),
      ADD COLUMN gateway_livemode boolean,
      ADD COLUMN previous_webhook_secret_expires_at timestamptz,
      ADD CONSTRAINT payment_processors_account CHECK ((gateway_account_id IS NULL) = (gateway_livemode IS NULL));
    UPDATE org_payment_processors SET previous_webhook_secret_expires_at = now() + interval '24 hours'
     WHERE previous_webhook_secret_encrypted IS NOT NULL;
    -- no secret that was replaced is valid for ever
    ALTER TABLE org_payment_processors ADD CONSTRAINT payment_processors_previous_secret_ends
      CHECK ((previous_webhook_secret_encrypted IS NULL) = (previous_webhook_secret_expires_at IS NULL));

    DROP FUNCTION app.webhook_processor(uuid);
    -- A webhook names a processor before it proves a tenant: this answers with the tenant and the sealed secrets that are valid.
    CREATE FUNCTION app.webhook_processor(p_id uuid)
      RETURNS TABLE (organization_id uuid, provider text, webhook_secret_encrypted text,
                     previous_webhook_secret_encrypted text, is_disabled boolean)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT organization_id, provider, webhook_secret_encrypted,
               CASE WHEN previous_webhook_secret_expires_at > now() THEN previous_webhook_secret_encrypted END,
               disabled_at IS NOT NULL
          FROM org_payment_processors WHERE id = p_id $$;
    REVOKE ALL ON FUNCTION app.webhook_processor(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION app.webhook_processor(uuid) TO ${runtime};

    CREATE INDEX attempts_pending_of_processor ON payment_attempts (organization_id, processor_id) WHERE status = 'pending';

    ALTER TABLE processor_captures
      ADD COLUMN currency text CHECK (currency ~ '^[a-z]{3}$'),
      DROP CONSTRAINT processor_captures_check2,
      ADD CONSTRAINT captures_recorded_for_something
        CHECK (remittance_id IS NOT NULL OR invoice_id IS NOT NULL OR disposition <> 'recorded');
    UPDATE processor_captures c SET currency = e.payload->>'currency'
      FROM webhook_events e
     WHERE e.processor_id = c.processor_id AND e.payload->>'intentId' = c.intent_id
       AND e.payload->>'currency' ~ '^[a-z]{3}$' AND c.remittance_id IS NULL AND c.invoice_id IS NULL;
    CREATE INDEX captures_unmatched ON processor_captures (organization_id, id)
      WHERE remittance_id IS NULL AND invoice_id IS NULL;
    CREATE INDEX captures_flagged_of_processor ON processor_captures (organization_id, processor_id)
      WHERE disposition = 'flagged';

    -- What an administrator decided about money that is for nothing here. A refund is committed here before it is asked for.
    CREATE TABLE capture_resolutions (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      capture_id uuid NOT NULL,
      resolution text NOT NULL CHECK (resolution IN ('refund','keep_as_credit')),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      status text NOT NULL CHECK (status IN ('pending','done','failed')),
      chapter_id uuid,
      membership_id uuid,
      note text NOT NULL CHECK (length(note) BETWEEN 1 AND 2000),
      gateway_refund_id text CHECK (length(gateway_refund_id) BETWEEN 1 AND 200),
      failure_code text CHECK (length(failure_code) <= 100),
      requested_by uuid NOT NULL REFERENCES users,
      finished_at timestamptz,
      ${TIMES},
      CHECK ((status = 'pending') = (finished_at IS NULL)),
      CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
      CONSTRAINT resolution_payer CHECK ((resolution = 'keep_as_credit') = (chapter_id IS NOT NULL)
        AND (membership_id IS NULL OR chapter_id IS NOT NULL)),
      CONSTRAINT resolution_kept_at_once CHECK (resolution = 'refund' OR status = 'done'),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    );
    -- two administrators at once decide once
    CREATE UNIQUE INDEX resolutions_one_of_capture ON capture_resolutions (organization_id, capture_id) WHERE status <> 'failed';
    CREATE INDEX resolutions_capture ON capture_resolutions (organization_id, capture_id, id);
    CREATE INDEX resolutions_pending ON capture_resolutions (id) WHERE status = 'pending';
    ${touched('capture_resolutions')}
    ${isolate('capture_resolutions', runtime)}
    REVOKE UPDATE, DELETE ON capture_resolutions FROM ${runtime};
    GRANT UPDATE (status, gateway_refund_id, failure_code, finished_at) ON capture_resolutions TO ${runtime};

    CREATE FUNCTION app.keep_resolution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a resolution that has ended stays as it is'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'resolution_ended';
    END $$;
    CREATE TRIGGER capture_resolutions_ended BEFORE UPDATE ON capture_resolutions
      FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION app.keep_resolution();

    ALTER TABLE chapter_account_credits
      ADD COLUMN capture_resolution_id uuid,
      ADD CONSTRAINT credit_of_capture FOREIGN KEY (organization_id, capture_resolution_id)
        REFERENCES capture_resolutions (organization_id, id),
      ADD CONSTRAINT credit_one_source CHECK (capture_resolution_id IS NULL OR
        (num_nonnulls(payment_record_id, invoice_id) = 0 AND kind IN ('issued','refunded','shortfall'))),
      DROP CONSTRAINT credit_shortfall_names_payment,
      ADD CONSTRAINT credit_shortfall_names_payment
        CHECK (kind <> 'shortfall' OR num_nonnulls(payment_record_id, capture_resolution_id) = 1);
    -- what was kept is counted once
    CREATE UNIQUE INDEX credits_kept_once ON chapter_account_credits (organization_id, capture_resolution_id) WHERE kind = 'issued';
    CREATE INDEX credits_resolution ON chapter_account_credits (organization_id, capture_resolution_id)
      WHERE capture_resolution_id IS NOT NULL;

    -- What is credit of money that was kept: issued, less what was taken back and what could not be.
    CREATE FUNCTION app.credit_of_resolution(p_organization uuid, p_resolution uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT coalesce(sum(CASE c.kind WHEN 'issued' THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
        FROM chapter_account_credits c WHERE c.organization_id = p_organization AND c.capture_resolution_id = p_resolution $$;

    CREATE FUNCTION app.keep_kept_credit_backed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM capture_resolutions r
           JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
          WHERE r.organization_id = NEW.organization_id AND r.id = NEW.capture_resolution_id AND r.resolution = 'keep_as_credit'
            AND r.chapter_id = NEW.chapter_id AND r.membership_id IS NOT DISTINCT FROM NEW.membership_id
            AND app.credit_of_resolution(r.organization_id, r.id) BETWEEN 0 AND c.amount_cents - c.refunded_cents) THEN
        RAISE EXCEPTION 'money that was kept backs credit of its own payer, and no more than is left of it'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER credits_kept_backed AFTER INSERT ON chapter_account_credits
      FOR EACH ROW WHEN (NEW.capture_resolution_id IS NOT NULL) EXECUTE FUNCTION app.keep_kept_credit_backed();

    -- Money is given back only after the credit that it backed was taken.
    CREATE FUNCTION app.keep_capture_backing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM capture_resolutions r WHERE r.organization_id = NEW.organization_id AND r.capture_id = NEW.id
           AND app.credit_of_resolution(r.organization_id, r.id) > NEW.amount_cents - NEW.refunded_cents) THEN
        RAISE EXCEPTION 'credit still leans on what is given back of capture %', NEW.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'credit_backed';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER captures_backing AFTER UPDATE OF amount_cents, refunded_cents ON processor_captures
      FOR EACH ROW EXECUTE FUNCTION app.keep_capture_backing();

    -- Undone, the money would be captured and nobody's.
    CREATE FUNCTION app.keep_kept_credit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM chapter_account_credits o WHERE o.organization_id = NEW.organization_id
                    AND o.id = NEW.reverses AND o.capture_resolution_id IS NOT NULL) THEN
        RAISE EXCEPTION 'credit that money was kept as ends with the money'
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'credit_of_capture_stays';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER credits_kept BEFORE INSERT ON chapter_account_credits
      FOR EACH ROW WHEN (NEW.kind = 'reversed') EXECUTE FUNCTION app.keep_kept_credit();
  `);

/** Where kept money is short, this is refused: the entry would not say any more what it is of. */
export const down: Migration['down'] = async ({ run, runtime }) =>
  run(`
    DROP TRIGGER captures_backing ON processor_captures;
    DROP FUNCTION app.keep_capture_backing();
    DROP TRIGGER credits_kept_backed ON chapter_account_credits;
    DROP FUNCTION app.keep_kept_credit_backed();
    DROP FUNCTION app.credit_of_resolution(uuid, uuid);
    DROP TRIGGER credits_kept ON chapter_account_credits;
    DROP FUNCTION app.keep_kept_credit();
    ALTER TABLE chapter_account_credits DROP CONSTRAINT credit_shortfall_names_payment;
    ALTER TABLE chapter_account_credits DROP COLUMN capture_resolution_id;
    ALTER TABLE chapter_account_credits
      ADD CONSTRAINT credit_shortfall_names_payment CHECK (kind <> 'shortfall' OR payment_record_id IS NOT NULL);
    DROP TABLE capture_resolutions;
    DROP FUNCTION app.keep_resolution();

    DROP INDEX captures_unmatched, captures_flagged_of_processor, attempts_pending_of_processor;
    UPDATE processor_captures SET disposition = 'flagged' WHERE remittance_id IS NULL AND invoice_id IS NULL;
    ALTER TABLE processor_captures
      DROP COLUMN currency,
      DROP CONSTRAINT captures_recorded_for_something,
      ADD CONSTRAINT processor_captures_check2 CHECK (remittance_id IS NOT NULL OR invoice_id IS NOT NULL OR disposition = 'flagged');

    DROP FUNCTION app.webhook_processor(uuid);
    CREATE FUNCTION app.webhook_processor(p_id uuid)
      RETURNS TABLE (organization_id uuid, provider text, webhook_secret_encrypted text, previous_webhook_secret_encrypted text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT organization_id, provider, webhook_secret_encrypted, previous_webhook_secret_encrypted
          FROM org_payment_processors WHERE id = p_id $$;
    REVOKE ALL ON FUNCTION app.webhook_processor(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION app.webhook_processor(uuid) TO ${runtime};
    ALTER TABLE org_payment_processors
      DROP CONSTRAINT payment_processors_previous_secret_ends,
      DROP CONSTRAINT payment_processors_account,
      DROP COLUMN previous_webhook_secret_expires_at,
      DROP COLUMN gateway_livemode,
      DROP COLUMN gateway_account_id;
  `);
