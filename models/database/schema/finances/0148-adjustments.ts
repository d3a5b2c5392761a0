import type { Migration } from '../../schemaFiles.js';

/**
 * Adds details to discounts and the reason of their voiding, and the method to payments by hand; a fee may have the
 * same details as a discount.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE invoice_discounts ADD COLUMN notes text CHECK (length(notes) BETWEEN 1 AND 2000),
      ADD COLUMN void_reason text CHECK (length(void_reason) BETWEEN 1 AND 500);
    UPDATE invoice_discounts SET void_reason = 'It was not said.' WHERE voided_at IS NOT NULL;
    ALTER TABLE invoice_discounts
      ADD CONSTRAINT discount_voided_with_reason CHECK ((voided_at IS NULL) = (void_reason IS NULL));
    -- null: a processor took the payment, or it was imported from earlier books
    ALTER TABLE payment_records ADD COLUMN method text CHECK (method IN ('cash','check','bank_transfer','other')),
      ADD COLUMN reference text CHECK (length(reference) BETWEEN 1 AND 200),
      ADD COLUMN received_on date,
      ADD COLUMN recorded_by uuid REFERENCES users,
      ADD CONSTRAINT payment_by_hand CHECK (num_nonnulls(method, reference, received_on, recorded_by) = 0
        OR (num_nonnulls(method, reference, received_on, recorded_by) = 4 AND num_nonnulls(processor_id, intent_id, remittance_id) = 0
          AND starts_with(processor_payment_id, 'manual:')));
    ALTER TABLE invoice_line_items DROP CONSTRAINT invoice_line_items_description_check,
      ADD CONSTRAINT invoice_line_items_description_check CHECK (length(description) BETWEEN 1 AND 500);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE invoice_line_items DROP CONSTRAINT invoice_line_items_description_check,
      ADD CONSTRAINT invoice_line_items_description_check CHECK (length(description) BETWEEN 1 AND 300) NOT VALID;
    ALTER TABLE payment_records DROP CONSTRAINT payment_by_hand, DROP COLUMN method, DROP COLUMN reference,
      DROP COLUMN received_on, DROP COLUMN recorded_by;
    ALTER TABLE invoice_discounts DROP CONSTRAINT discount_voided_with_reason, DROP COLUMN notes, DROP COLUMN void_reason;
  `);
