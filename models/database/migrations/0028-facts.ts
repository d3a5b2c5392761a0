import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/**
 * Facts of money, as the runtime role may change them: the columns that a grant names, by the transitions that a trigger
 * allows. Everything else about such a row is written once. Who tidies up by hand does it as the owner, and is seen.
 */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  // a payment rises to succeeded; from then on only what was given back of it grows
  payment_records: ['status', 'paid_at', 'amount_cents', 'failure_code', 'refunded_cents'],
  // money that waits is dealt with once; what was given back grows
  processor_captures: ['disposition', 'refunded_cents'],
  // settled once; flagged and resolved as often as it takes, each later than the last
  chapter_remittances: [
    'processor_payment_id',
    'settled_at',
    'total_cents',
    'reconciliation_flagged_at',
    'reconciliation_amount_cents',
    'reconciliation_reason',
    'reconciliation_note',
    'resolved_at',
    'resolved_by',
  ],
  // reserved and released as often as it is tried; paid once
  chapter_remittance_allocations: ['payment_record_id', 'reserved_by_attempt_id'],
  // what is tried is written once; how it went, as it becomes known
  payment_attempts: [
    'status',
    'intent_id',
    'captured_cents',
    'failure_code',
    'failure_message',
    'finished_at',
    'checkout_session_id',
    'checkout_url',
    'checkout_expires_at',
    'checkout_keys',
    'checkout_asked_at',
    'checkout_looked_at',
    'closing_since',
    'closing_reason',
  ],
  // amounts and status come from lines, discounts, payments and credit alone
  chapter_invoices: ['overdue_at', 'voided_at', 'void_reason', 'payer_name'],
  invoice_discounts: ['voided_at', 'voided_by'],
};

/** What an invoice is told when it is issued; its amounts come from its lines. */
const ISSUED = `id, organization_id, chapter_id, term_id, dues_run_id, payer_type, membership_id, payer_name, is_recurring,
  description, currency, issue_date, due_date, created_at`;

export const up: Migration['up'] = async ({ run, runtime }) => {
  const tables = Object.keys(CHANGEABLE);
  await run(`
    ${tables.map((table) => `REVOKE UPDATE, DELETE ON ${table} FROM ${runtime};`).join('\n')}
    ${tables.map((table) => `GRANT UPDATE (${CHANGEABLE[table]?.join(', ')}) ON ${table} TO ${runtime};`).join('\n')}
    -- shares that nobody was credited for make room for others
    GRANT DELETE ON chapter_remittance_allocations TO ${runtime};
    REVOKE INSERT ON chapter_invoices FROM ${runtime};
    GRANT INSERT (${ISSUED}) ON chapter_invoices TO ${runtime};

    CREATE FUNCTION app.keep_facts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE broken boolean;
    BEGIN
      CASE TG_TABLE_NAME
        WHEN 'payment_records' THEN broken := NEW.refunded_cents < OLD.refunded_cents OR (OLD.status = 'succeeded'
          AND (NEW.status, NEW.amount_cents, NEW.paid_at, NEW.failure_code)
            IS DISTINCT FROM (OLD.status, OLD.amount_cents, OLD.paid_at, OLD.failure_code));
        WHEN 'processor_captures' THEN broken := NEW.refunded_cents < OLD.refunded_cents
          OR (NEW.disposition <> OLD.disposition AND (OLD.disposition, NEW.disposition) <> ('flagged', 'resolved'));
        WHEN 'chapter_remittances' THEN broken :=
          (OLD.settled_at IS NOT NULL AND (NEW.settled_at, NEW.processor_payment_id)
            IS DISTINCT FROM (OLD.settled_at, OLD.processor_payment_id))
          -- only an officer who gives flagged money to other invoices changes what it comes to
          OR (NEW.total_cents <> OLD.total_cents AND (OLD.reconciliation_flagged_at IS NULL
            OR OLD.resolved_at >= OLD.reconciliation_flagged_at))
          OR (OLD.reconciliation_flagged_at IS NOT NULL AND (NEW.reconciliation_flagged_at IS NULL
            OR NEW.reconciliation_flagged_at < OLD.reconciliation_flagged_at))
          OR (OLD.resolved_at IS NOT NULL AND (NEW.resolved_at IS NULL OR NEW.resolved_at < OLD.resolved_at));
        WHEN 'chapter_remittance_allocations' THEN
          IF TG_OP = 'DELETE' THEN
            broken := OLD.payment_record_id IS NOT NULL;
          ELSE
            broken := OLD.payment_record_id IS NOT NULL AND (NEW.payment_record_id, NEW.reserved_by_attempt_id)
              IS DISTINCT FROM (OLD.payment_record_id, OLD.reserved_by_attempt_id);
          END IF;
        WHEN 'payment_attempts' THEN broken :=
          (NEW.status <> OLD.status AND (NEW.status = 'pending' OR OLD.status IN ('succeeded', 'flagged')))
          OR (OLD.intent_id IS NOT NULL AND NEW.intent_id IS DISTINCT FROM OLD.intent_id)
          OR (OLD.captured_cents IS NOT NULL AND NEW.captured_cents IS DISTINCT FROM OLD.captured_cents);
        WHEN 'chapter_invoices' THEN broken :=
          (OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.void_reason) IS DISTINCT FROM (OLD.voided_at, OLD.void_reason))
          OR (OLD.overdue_at IS NOT NULL AND NEW.overdue_at IS DISTINCT FROM OLD.overdue_at);
        WHEN 'invoice_discounts' THEN broken := OLD.voided_at IS NOT NULL;
        WHEN 'webhook_events' THEN broken := NEW.deliveries < OLD.deliveries OR (OLD.processed_at IS NOT NULL
          AND (NEW.outcome, NEW.processed_at) IS DISTINCT FROM (OLD.outcome, OLD.processed_at));
      END CASE;
      IF broken THEN
        RAISE EXCEPTION 'what % % says has happened', TG_TABLE_NAME, OLD.id
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_money';
      END IF;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END $$;
    ${[...tables, 'webhook_events'].map((table) => keeping(table, runtime)).join('\n')}

    -- An invoice that is marked or voided becomes what its amounts make of it; nobody sets its status.
    CREATE FUNCTION app.derive_invoice_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.voided_at IS NOT NULL THEN
        NEW.status := 'void';
        NEW.balance_due_cents := 0;
        NEW.paid_at := NULL;
      ELSE
        NEW.status := CASE WHEN NEW.balance_due_cents = 0 AND NEW.total_cents > 0 THEN 'paid'
                           WHEN NEW.overdue_at IS NOT NULL THEN 'overdue'
                           WHEN NEW.paid_cents - NEW.overpaid_cents + NEW.credit_cents > 0 THEN 'partially_paid' ELSE 'open' END;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER chapter_invoices_status BEFORE UPDATE ON chapter_invoices FOR EACH ROW
      WHEN (NEW.voided_at IS DISTINCT FROM OLD.voided_at OR NEW.overdue_at IS DISTINCT FROM OLD.overdue_at)
      EXECUTE FUNCTION app.derive_invoice_status();

    -- With the owner's rights, since nobody else has them; the invoices are those of the rows that have just changed.
    ALTER FUNCTION app.recompute_after_change() SECURITY DEFINER;
    ALTER FUNCTION app.recompute_after_change() SET search_path = public, pg_temp;
    REVOKE ALL ON FUNCTION app.recompute_after_change() FROM PUBLIC;
    REVOKE ALL ON FUNCTION app.recompute_invoices(uuid[]) FROM PUBLIC;

    -- a verified event belongs to the tenant whose processor signed it
    ALTER TABLE webhook_events
      ADD UNIQUE (organization_id, id),
      DROP CONSTRAINT webhook_events_once,
      ADD CONSTRAINT webhook_events_once UNIQUE (organization_id, processor_id, event_id),
      ADD CONSTRAINT webhook_events_processor FOREIGN KEY (organization_id, processor_id)
        REFERENCES org_payment_processors (organization_id, id);
    ${isolate('webhook_events', runtime)}
    REVOKE UPDATE, DELETE ON webhook_events FROM ${runtime};
    GRANT UPDATE (outcome, processed_at, deliveries) ON webhook_events TO ${runtime};

    -- money that went back as a whole leaves a draft without a charge
    ALTER TABLE chapter_remittances DROP CONSTRAINT remittance_money_has_a_charge,
      ADD CONSTRAINT remittance_money_has_a_charge CHECK (processor_payment_id IS NOT NULL
        OR (settled_at IS NULL AND (reconciliation_flagged_at IS NULL OR resolved_at >= reconciliation_flagged_at)));
    UPDATE chapter_remittances SET processor_payment_id = NULL
     WHERE settled_at IS NULL AND resolved_at >= reconciliation_flagged_at;

    -- An organization's date now. A time zone that Postgres does not know counts as UTC.
    CREATE FUNCTION app.local_day(p_timezone text) RETURNS date LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN (now() AT TIME ZONE p_timezone)::date;
    EXCEPTION WHEN invalid_parameter_value THEN
      RETURN (now() AT TIME ZONE 'UTC')::date;
    END $$;
    CREATE FUNCTION app.today() RETURNS date LANGUAGE sql STABLE AS $$
      SELECT app.local_day(timezone) FROM organizations WHERE id = (SELECT app.org_id()) $$;
  `);
};

/** Of the runtime role alone: what the owner mends by hand has its reasons. */
function keeping(table: string, runtime: string): string {
  // As SQL it is an identifier in quotes; compared, it is a name.
  const role = runtime.slice(1, -1).replaceAll('""', '"').replaceAll("'", "''");
  const events = table === 'chapter_remittance_allocations' ? 'UPDATE OR DELETE' : 'UPDATE';
  return `CREATE TRIGGER ${table}_facts BEFORE ${events} ON ${table} FOR EACH ROW
      WHEN (current_user = '${role}') EXECUTE FUNCTION app.keep_facts();`;
}

export const down: Migration['down'] = async ({ run, runtime }) => {
  const tables = Object.keys(CHANGEABLE);
  await run(`
    DROP FUNCTION app.today();
    DROP FUNCTION app.local_day(text);

    UPDATE chapter_remittances r SET processor_payment_id = (SELECT min(c.intent_id) FROM processor_captures c
        WHERE c.organization_id = r.organization_id AND c.remittance_id = r.id)
     WHERE processor_payment_id IS NULL AND reconciliation_flagged_at IS NOT NULL;
    ALTER TABLE chapter_remittances DROP CONSTRAINT remittance_money_has_a_charge,
      ADD CONSTRAINT remittance_money_has_a_charge CHECK
        ((settled_at IS NULL AND reconciliation_flagged_at IS NULL) OR processor_payment_id IS NOT NULL);

    DROP POLICY tenant ON webhook_events;
    DROP POLICY owner_sees_all ON webhook_events;
    ALTER TABLE webhook_events NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE webhook_events DISABLE ROW LEVEL SECURITY;
    ALTER TABLE webhook_events
      DROP CONSTRAINT webhook_events_processor,
      DROP CONSTRAINT webhook_events_organization_id_id_key,
      DROP CONSTRAINT webhook_events_once,
      ADD CONSTRAINT webhook_events_once UNIQUE (processor_id, event_id);
    GRANT UPDATE ON webhook_events TO ${runtime};

    GRANT EXECUTE ON FUNCTION app.recompute_after_change(), app.recompute_invoices(uuid[]) TO PUBLIC;
    ALTER FUNCTION app.recompute_after_change() RESET search_path;
    ALTER FUNCTION app.recompute_after_change() SECURITY INVOKER;
    DROP TRIGGER chapter_invoices_status ON chapter_invoices;
    DROP FUNCTION app.derive_invoice_status();
    ${[...tables, 'webhook_events'].map((table) => `DROP TRIGGER ${table}_facts ON ${table};`).join('\n')}
    DROP FUNCTION app.keep_facts();
    ${tables.map((table) => `GRANT INSERT, UPDATE, DELETE ON ${table} TO ${runtime};`).join('\n')}
  `);
};
