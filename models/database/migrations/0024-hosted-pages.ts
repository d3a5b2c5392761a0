import type { Migration } from '../migrate.js';

const LOOK = `INSERT INTO outbox (organization_id, process, workflow_id, input, signal)
    SELECT organization_id, 'hostedPage', 'hosted-page/' || id,
           jsonb_build_object('organizationId', organization_id, 'attemptId', id), 'look'`;

/** A hosted page has a process that knows what becomes of it, and closes as soon as its invoice owes another amount. */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    ALTER TABLE payment_attempts
      -- requests for the page under keys of their own; the last of them, and the last answer about the page
      ADD COLUMN checkout_keys smallint NOT NULL DEFAULT 0 CHECK (checkout_keys >= 0),
      ADD COLUMN checkout_asked_at timestamptz,
      ADD COLUMN checkout_looked_at timestamptz,
      ADD COLUMN closing_since timestamptz,
      ADD COLUMN closing_reason text
        CHECK (closing_reason IN ('invoice_paid','invoice_void','amount_changed','replaced','cancelled')),
      ADD CONSTRAINT attempt_closing_has_reason CHECK ((closing_since IS NULL) = (closing_reason IS NULL)),
      ADD CONSTRAINT attempt_closing_is_a_page CHECK (closing_since IS NULL OR invoice_id IS NOT NULL),
      ADD CONSTRAINT attempt_page_was_asked_for CHECK ((checkout_keys = 0) = (checkout_asked_at IS NULL));

    -- pages that were opened before they had processes: all are looked up, and only the newest of an invoice stays
    UPDATE payment_attempts SET checkout_keys = 1, checkout_asked_at = created_at WHERE invoice_id IS NOT NULL;
    UPDATE payment_attempts a SET closing_since = now(),
           closing_reason = CASE WHEN a.amount_cents <> i.balance_due_cents THEN 'amount_changed' ELSE 'replaced' END
      FROM chapter_invoices i
     WHERE (i.organization_id, i.id) = (a.organization_id, a.invoice_id) AND a.status = 'pending'
       AND (a.amount_cents <> i.balance_due_cents OR EXISTS (SELECT 1 FROM payment_attempts newer
             WHERE (newer.organization_id, newer.invoice_id) = (a.organization_id, a.invoice_id)
               AND newer.status = 'pending' AND newer.id > a.id));
    ${LOOK} FROM payment_attempts WHERE invoice_id IS NOT NULL AND status = 'pending';

    -- two clicks open one page
    CREATE UNIQUE INDEX attempts_one_page_per_invoice ON payment_attempts (organization_id, invoice_id)
      WHERE status = 'pending' AND invoice_id IS NOT NULL AND closing_since IS NULL;

    -- Whatever changes what an invoice owes: a page for another amount is not to be paid any more.
    CREATE FUNCTION app.close_pages() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      WITH closing AS (
        UPDATE payment_attempts a SET closing_since = now(),
               closing_reason = CASE i.status WHEN 'void' THEN 'invoice_void' WHEN 'paid' THEN 'invoice_paid' ELSE 'amount_changed' END
          FROM changed i
         WHERE a.organization_id = i.organization_id AND a.invoice_id = i.id AND a.status = 'pending'
           AND a.closing_since IS NULL AND a.amount_cents <> i.balance_due_cents
        RETURNING a.organization_id, a.id)
      ${LOOK} FROM closing;
      RETURN NULL;
    END $$;
    CREATE TRIGGER invoices_close_pages AFTER UPDATE ON chapter_invoices
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.close_pages();
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TRIGGER invoices_close_pages ON chapter_invoices;
    DROP FUNCTION app.close_pages();
    DELETE FROM outbox WHERE process = 'hostedPage' AND dispatched_at IS NULL;
    DROP INDEX attempts_one_page_per_invoice;
    ALTER TABLE payment_attempts DROP COLUMN checkout_keys, DROP COLUMN checkout_asked_at, DROP COLUMN checkout_looked_at,
      DROP COLUMN closing_since, DROP COLUMN closing_reason;
  `);
