import type { Migration } from '../../schemaFiles.js';

/** Creates the foundation: settings, campaigns, gifts and receipts; and lets the money engine charge gifts. */
export const up: Migration['up'] = async ({ run, runFiles }) => {
  await runFiles(__dirname, ['config', 'giving', 'annual-receipts', 'receipts', 'portal', 'bulletins', 'pledges']);
  await run(`
    -- a tenant has one account for dues and one for gifts
    ALTER TABLE org_payment_processors
      ADD COLUMN purpose text NOT NULL DEFAULT 'dues'
        CONSTRAINT payment_processors_purpose CHECK (purpose IN ('dues','foundation'));
    DROP INDEX payment_processors_one_active;
    CREATE UNIQUE INDEX payment_processors_one_active ON org_payment_processors (organization_id, purpose)
      WHERE disabled_at IS NULL;

    ALTER TABLE payment_attempts
      ADD COLUMN donation_id uuid,
      -- description of the gift on its payment page, and the URL to which the provider sends the donor afterwards
      ADD COLUMN page_description text CHECK (length(page_description) BETWEEN 1 AND 500),
      ADD COLUMN page_done_url text CHECK (length(page_done_url) BETWEEN 1 AND 2000),
      ADD COLUMN page_cancel_url text CHECK (length(page_cancel_url) BETWEEN 1 AND 2000),
      -- whether the provider keeps the card that is entered on the page
      ADD COLUMN page_keeps_card boolean NOT NULL DEFAULT false,
      -- the pledge whose period the attempt pays
      ADD COLUMN pledge_id uuid,
      -- whether the payer enters a card on a page of the provider; otherwise a known card is charged
      ADD COLUMN has_page boolean GENERATED ALWAYS AS (invoice_id IS NOT NULL OR page_done_url IS NOT NULL) STORED,
      DROP CONSTRAINT attempt_subject,
      ADD CONSTRAINT attempt_subject CHECK (num_nonnulls(remittance_id, invoice_id, donation_id) = 1),
      -- a gift is paid on a page, or with the kept card of its pledge
      ADD CONSTRAINT attempt_page_of_a_gift CHECK (donation_id IS NULL
        OR num_nonnulls(page_description, page_done_url, page_cancel_url) = 3
        OR (pledge_id IS NOT NULL AND num_nonnulls(page_description, page_done_url, page_cancel_url) = 0)),
      ADD CONSTRAINT attempt_pledge_of_a_gift CHECK (pledge_id IS NULL OR donation_id IS NOT NULL),
      DROP CONSTRAINT attempt_closing_is_a_page,
      ADD CONSTRAINT attempt_closing_is_a_page CHECK (closing_since IS NULL OR has_page),
      ADD CONSTRAINT attempts_pledge FOREIGN KEY (organization_id, pledge_id)
        REFERENCES recurring_pledges (organization_id, id),
      ADD CONSTRAINT attempts_donation FOREIGN KEY (organization_id, donation_id)
        REFERENCES donations (organization_id, id);
    -- a gift has one charge at a time: an open page, or a charge of the kept card of its pledge
    CREATE UNIQUE INDEX attempts_one_live_per_donation ON payment_attempts (organization_id, donation_id)
      WHERE donation_id IS NOT NULL AND status = 'pending';
    CREATE INDEX attempts_donation_id ON payment_attempts (organization_id, donation_id) WHERE donation_id IS NOT NULL;

    ALTER TABLE processor_captures
      ADD COLUMN donation_id uuid,
      -- the time of the charge at the provider, which decides the tax year of a gift
      ADD COLUMN captured_at timestamptz,
      DROP CONSTRAINT processor_captures_check,
      ADD CONSTRAINT captures_one_subject CHECK (num_nonnulls(remittance_id, invoice_id, donation_id) <= 1),
      DROP CONSTRAINT captures_recorded_for_something,
      ADD CONSTRAINT captures_recorded_for_something
        CHECK (num_nonnulls(remittance_id, invoice_id, donation_id) = 1 OR disposition <> 'recorded'),
      ADD CONSTRAINT captures_donation FOREIGN KEY (organization_id, donation_id)
        REFERENCES donations (organization_id, id);
    DROP INDEX captures_unmatched;
    CREATE INDEX captures_unmatched ON processor_captures (organization_id, id)
      WHERE remittance_id IS NULL AND invoice_id IS NULL AND disposition <> 'recorded';
    -- an administrator may accept a captured amount that differs from the amount of the gift
    ALTER TABLE capture_resolutions
      DROP CONSTRAINT capture_resolutions_resolution_check,
      ADD CONSTRAINT capture_resolutions_resolution_check CHECK (resolution IN ('refund','keep_as_credit','accept'));
    CREATE INDEX captures_donation ON processor_captures (organization_id, donation_id) WHERE donation_id IS NOT NULL;

    ALTER TABLE webhook_events
      ADD COLUMN foundation_id uuid,
      ADD CONSTRAINT webhook_events_foundation FOREIGN KEY (organization_id, foundation_id)
        REFERENCES foundation_configs (organization_id, id);
  `);
};

/**
 * Reverts the migration and disables the processor accounts for gifts, because the previous release expects a single
 * active account per organization.
 */
export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE webhook_events DROP COLUMN foundation_id;
    ALTER TABLE processor_captures DROP COLUMN donation_id, DROP COLUMN captured_at,
      ADD CHECK (remittance_id IS NULL OR invoice_id IS NULL),
      ADD CONSTRAINT captures_recorded_for_something
        CHECK (remittance_id IS NOT NULL OR invoice_id IS NOT NULL OR disposition <> 'recorded') NOT VALID;
    DROP INDEX captures_unmatched;
    CREATE INDEX captures_unmatched ON processor_captures (organization_id, id)
      WHERE remittance_id IS NULL AND invoice_id IS NULL;
    ALTER TABLE capture_resolutions
      DROP CONSTRAINT capture_resolutions_resolution_check,
      ADD CONSTRAINT capture_resolutions_resolution_check CHECK (resolution IN ('refund','keep_as_credit')) NOT VALID;
    ALTER TABLE payment_attempts DROP CONSTRAINT attempt_closing_is_a_page, DROP COLUMN has_page, DROP COLUMN donation_id,
      DROP COLUMN pledge_id, DROP COLUMN page_description, DROP COLUMN page_done_url, DROP COLUMN page_cancel_url,
      DROP COLUMN page_keeps_card,
      ADD CONSTRAINT attempt_closing_is_a_page CHECK (closing_since IS NULL OR invoice_id IS NOT NULL) NOT VALID,
      ADD CONSTRAINT attempt_subject CHECK ((remittance_id IS NULL) <> (invoice_id IS NULL)) NOT VALID;
    DROP TABLE foundation_bulletin_optouts, foundation_bulletin_recipients, foundation_bulletins, pledge_notices,
      pledge_periods, donor_sessions, donor_links, tax_receipts, annual_receipt_items, annual_receipt_runs,
      receipt_counters, donation_entries, donations, recurring_pledges, donors, campaigns, funds,
      foundation_payment_processors, foundation_admins, foundation_configs CASCADE;
    UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now()) WHERE purpose = 'foundation';
    ALTER TABLE org_payment_processors DROP COLUMN purpose;
    CREATE UNIQUE INDEX payment_processors_one_active ON org_payment_processors (organization_id)
      WHERE disabled_at IS NULL;
  `);
