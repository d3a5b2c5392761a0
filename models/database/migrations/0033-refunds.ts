import type { Migration } from '../migrate.js';

/** Money that was on its way back may come back to us: a refund that fails is a fact of its own, beside what went back. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    ALTER TABLE processor_captures
      -- of what was called refunded, this much never arrived: refunded_cents falls only by what this grows by
      ADD COLUMN refund_failed_cents bigint NOT NULL DEFAULT 0 CHECK (refund_failed_cents >= 0),
      -- when the provider itself was asked; from then on no event is believed about refunds of this charge
      ADD COLUMN refunds_read_at timestamptz;
    ALTER TABLE payment_records
      ADD COLUMN refund_failed_cents bigint NOT NULL DEFAULT 0 CHECK (refund_failed_cents >= 0);
    GRANT UPDATE (refund_failed_cents, refunds_read_at) ON processor_captures TO ${runtime};
    GRANT UPDATE (refund_failed_cents) ON payment_records TO ${runtime};

    -- As app.keep_facts had it, but for refunds that failed.
    CREATE FUNCTION app.keep_given_back() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken boolean := NEW.refund_failed_cents < OLD.refund_failed_cents
      OR NEW.refunded_cents + NEW.refund_failed_cents < OLD.refunded_cents + OLD.refund_failed_cents;
    BEGIN
      IF TG_TABLE_NAME = 'payment_records' THEN
        broken := broken OR (OLD.status = 'succeeded' AND (NEW.status, NEW.amount_cents, NEW.paid_at, NEW.failure_code)
          IS DISTINCT FROM (OLD.status, OLD.amount_cents, OLD.paid_at, OLD.failure_code));
      ELSE
        -- what waits is dealt with once; money that came back waits again
        broken := broken OR (OLD.refunds_read_at IS NOT NULL AND coalesce(NEW.refunds_read_at < OLD.refunds_read_at, true)) OR (NEW.disposition <> OLD.disposition AND CASE OLD.disposition
          WHEN 'flagged' THEN NEW.disposition <> 'resolved'
          WHEN 'resolved' THEN NEW.disposition <> 'flagged' OR NEW.refund_failed_cents = OLD.refund_failed_cents
          ELSE true END);
      END IF;
      IF broken THEN
        RAISE EXCEPTION 'what % % says has happened', TG_TABLE_NAME, OLD.id
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
      END IF;
      RETURN NEW;
    END $$;
    ${keptBy('app.keep_given_back', runtime)}

    -- Kept once, and taken up again when a refund of it fails: the triggers bound it by what is left of the money.
    DROP INDEX credits_kept_once;
    -- A refund that was done stays done when another one fails, and leaves room for the next decision.
    DROP INDEX resolutions_one_of_capture;
    CREATE UNIQUE INDEX resolutions_one_pending ON capture_resolutions (organization_id, capture_id) WHERE status = 'pending';
    CREATE UNIQUE INDEX resolutions_kept_once ON capture_resolutions (organization_id, capture_id) WHERE resolution = 'keep_as_credit';
    DROP TRIGGER capture_resolutions_ended ON capture_resolutions;
    CREATE TRIGGER capture_resolutions_ended BEFORE UPDATE ON capture_resolutions FOR EACH ROW
      -- a bank may send back what the provider called refunded
      WHEN (OLD.status <> 'pending' AND NOT ((OLD.resolution, OLD.status, NEW.status) = ('refund', 'done', 'failed')
        AND coalesce(NEW.gateway_refund_id = OLD.gateway_refund_id, false)))
      EXECUTE FUNCTION app.keep_resolution();

    CREATE INDEX webhook_events_waiting_of_processor ON webhook_events (organization_id, processor_id) WHERE processed_at IS NULL;
    CREATE INDEX webhook_events_refund_changes ON webhook_events (organization_id, processor_id)
      WHERE type IN ('refund.failed','charge.refund.updated');
  `);

/** Where money that was kept came back and was taken up again, this is refused: it could be counted once only. */
export const down: Migration['down'] = async ({ run, runtime }) =>
  run(`
    DROP INDEX webhook_events_waiting_of_processor, webhook_events_refund_changes;
    DROP TRIGGER capture_resolutions_ended ON capture_resolutions;
    CREATE TRIGGER capture_resolutions_ended BEFORE UPDATE ON capture_resolutions
      FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION app.keep_resolution();
    DROP INDEX resolutions_one_pending, resolutions_kept_once;
    CREATE UNIQUE INDEX resolutions_one_of_capture ON capture_resolutions (organization_id, capture_id) WHERE status <> 'failed';
    CREATE UNIQUE INDEX credits_kept_once ON chapter_account_credits (organization_id, capture_resolution_id) WHERE kind = 'issued';
    ${keptBy('app.keep_facts', runtime)}
    DROP FUNCTION app.keep_given_back();
    REVOKE UPDATE (refund_failed_cents, refunds_read_at) ON processor_captures FROM ${runtime};
    REVOKE UPDATE (refund_failed_cents) ON payment_records FROM ${runtime};
    ALTER TABLE processor_captures DROP COLUMN refund_failed_cents, DROP COLUMN refunds_read_at;
    ALTER TABLE payment_records DROP COLUMN refund_failed_cents;
  `);

/** Of the runtime role alone, as in 0028. */
function keptBy(keeper: string, runtime: string): string {
  // As SQL it is an identifier in quotes; compared, it is a name.
  const role = runtime.slice(1, -1).replaceAll('""', '"').replaceAll("'", "''");
  return ['payment_records', 'processor_captures']
    .map(
      (table) => `
    DROP TRIGGER ${table}_facts ON ${table};
    CREATE TRIGGER ${table}_facts BEFORE UPDATE ON ${table} FOR EACH ROW
      WHEN (current_user = '${role}') EXECUTE FUNCTION ${keeper}();`,
    )
    .join('');
}
