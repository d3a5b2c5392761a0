import type { Migration } from '../../schemaFiles.js';

/**
 * Adds regenerated invoices: the invoice that a new one replaces and, for a moved payment, the invoice that it was made
 * for. Fee lines get a kind of their own, because they move to the new invoice.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE chapter_invoices ADD COLUMN replaces uuid,
      ADD CONSTRAINT invoice_replaces_dues CHECK (replaces IS NULL OR (is_recurring AND replaces <> id)),
      ADD CONSTRAINT invoice_replaces_own FOREIGN KEY (organization_id, chapter_id, replaces)
        REFERENCES chapter_invoices (organization_id, chapter_id, id);
    CREATE UNIQUE INDEX invoices_replaced_once ON chapter_invoices (organization_id, replaces) WHERE replaces IS NOT NULL;

    ALTER TABLE invoice_line_items ADD COLUMN is_fee boolean NOT NULL DEFAULT false;
    -- guards follow in the same transaction
    DROP TRIGGER IF EXISTS invoice_line_items_immutable ON invoice_line_items;
    UPDATE invoice_line_items l SET is_fee = true FROM audit_log a
     WHERE a.organization_id = l.organization_id AND a.action = 'invoice.fee_added' AND a.after ->> 'line_id' = l.id::text;

    -- null: the invoice that the payment is recorded on
    ALTER TABLE payment_records ADD COLUMN charged_invoice_id uuid,
      ADD CONSTRAINT payment_was_for_another CHECK (charged_invoice_id <> invoice_id),
      ADD CONSTRAINT payment_charged_invoice FOREIGN KEY (organization_id, charged_invoice_id)
        REFERENCES chapter_invoices (organization_id, id),
      DROP CONSTRAINT payment_records_check1,
      ADD CONSTRAINT payment_of_remittance
        CHECK (remittance_id IS NULL OR processor_payment_id = remittance_id || ':' || coalesce(charged_invoice_id, invoice_id));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.move_to_replacement(uuid);
    ALTER TABLE payment_records DROP CONSTRAINT payment_of_remittance, DROP COLUMN charged_invoice_id CASCADE,
      ADD CONSTRAINT payment_records_check1 CHECK (remittance_id IS NULL OR processor_payment_id = remittance_id || ':' || invoice_id) NOT VALID;
    ALTER TABLE invoice_line_items DROP COLUMN is_fee;
    ALTER TABLE chapter_invoices DROP COLUMN replaces CASCADE;
  `);
