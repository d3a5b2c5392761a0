import type { Migration } from '../../schemaFiles.js';

/**
 * Moves credit with a transferred member: it leaves one membership of a person for another, and stays linked to the
 * money that it came from.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE chapter_account_credits
      ADD COLUMN moved_from uuid,
      DROP CONSTRAINT chapter_account_credits_kind_check,
      ADD CONSTRAINT chapter_account_credits_kind_check
        CHECK (kind IN ('issued','applied','refunded','reversed','shortfall','recovered','moved_out','moved_in')),
      DROP CONSTRAINT credit_one_source,
      ADD CONSTRAINT credit_one_source CHECK (capture_resolution_id IS NULL OR
        (num_nonnulls(payment_record_id, invoice_id) = 0 AND kind IN ('issued','refunded','shortfall','moved_out','moved_in'))),
      ADD CONSTRAINT credit_moved_from CHECK ((kind = 'moved_in') = (moved_from IS NOT NULL)),
      ADD CONSTRAINT credit_moves_with_source CHECK (kind NOT IN ('moved_out','moved_in')
        OR (membership_id IS NOT NULL AND (invoice_id IS NULL) = (payment_record_id IS NULL))),
      ADD CONSTRAINT credits_moved_once UNIQUE (organization_id, moved_from),
      ADD CONSTRAINT credit_moved_entry FOREIGN KEY (organization_id, moved_from)
        REFERENCES chapter_account_credits (organization_id, id);
    -- null: the credit belongs to the payer of the invoice
    ALTER TABLE refunds ADD COLUMN credit_membership_id uuid,
      ADD CONSTRAINT refund_of_moved_credit CHECK (credit_membership_id IS NULL OR of_credit),
      ADD CONSTRAINT refund_credit_membership FOREIGN KEY (organization_id, credit_membership_id)
        REFERENCES memberships (organization_id, id);
    CREATE INDEX refunds_of_moved_credit ON refunds (organization_id, credit_membership_id) WHERE credit_membership_id IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE refunds DROP COLUMN credit_membership_id CASCADE;
    ALTER TABLE chapter_account_credits DROP COLUMN moved_from CASCADE,
      DROP CONSTRAINT credit_moves_with_source,
      DROP CONSTRAINT credit_one_source,
      ADD CONSTRAINT credit_one_source CHECK (capture_resolution_id IS NULL OR
        (num_nonnulls(payment_record_id, invoice_id) = 0 AND kind IN ('issued','refunded','shortfall'))) NOT VALID,
      DROP CONSTRAINT chapter_account_credits_kind_check,
      ADD CONSTRAINT chapter_account_credits_kind_check
        CHECK (kind IN ('issued','applied','refunded','reversed','shortfall','recovered')) NOT VALID;
  `);
