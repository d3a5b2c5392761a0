import type { Migration } from '../../schemaFiles.js';

/**
 * Creates reconciliation: movements that providers list, daily runs that compare them with the books, and cases of
 * differences.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE reconciliations (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      processor_id uuid NOT NULL,
      day date NOT NULL,
      period_from timestamptz NOT NULL,
      period_to timestamptz NOT NULL,
      status text NOT NULL DEFAULT 'listing' CHECK (status IN ('listing','comparing','compared','refused')),
      -- while listing: the provider's cursor; while comparing: the last compared charge
      cursor text CHECK (length(cursor) BETWEEN 1 AND 500),
      cases_opened integer NOT NULL DEFAULT 0 CHECK (cases_opened >= 0),
      finished_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT reconciliation_period CHECK (period_from < period_to),
      CONSTRAINT reconciliation_finished CHECK ((finished_at IS NOT NULL) = (status IN ('compared','refused'))),
      UNIQUE (organization_id, id),
      CONSTRAINT reconciliations_once UNIQUE (organization_id, processor_id, day),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
    );

    CREATE TABLE gateway_movements (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      processor_id uuid NOT NULL,
      -- two processors of one account list the same movements
      provider text NOT NULL CHECK (length(provider) BETWEEN 1 AND 50),
      movement_id text NOT NULL CHECK (length(movement_id) BETWEEN 1 AND 200),
      kind text NOT NULL CHECK (kind IN ('captured','refunded','refund_failed','disputed','payout','other')),
      amount_cents bigint NOT NULL,
      fee_cents bigint NOT NULL,
      currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
      moved_at timestamptz NOT NULL,
      intent_id text CHECK (length(intent_id) BETWEEN 1 AND 200),
      gateway_refund_id text CHECK (length(gateway_refund_id) BETWEEN 1 AND 200),
      -- ids of the platform in the charge's metadata; empty for charges of other business
      marks jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(marks) = 'object'),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT gateway_movements_once UNIQUE (organization_id, provider, movement_id),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
    );
    CREATE INDEX gateway_movements_moved ON gateway_movements (organization_id, moved_at);
    CREATE INDEX gateway_movements_charge ON gateway_movements (organization_id, intent_id) WHERE intent_id IS NOT NULL;
    CREATE INDEX captures_recorded ON processor_captures (organization_id, processor_id, created_at);

    ALTER TABLE money_cases
      -- remaining amount of the charge in the books, and at the provider
      ADD COLUMN recorded_cents bigint,
      ADD COLUMN reported_cents bigint,
      ADD COLUMN moved_at timestamptz,
      DROP CONSTRAINT money_cases_kind_check,
      ADD CONSTRAINT money_cases_kind_check CHECK (kind IN ('refund_unknown','dispute_unallocated','remittance_flagged',
        'refund_bounced','manual_refund_due','captured_not_recorded','recorded_not_captured','amount_differs','other')),
      ADD CONSTRAINT case_of_difference CHECK (num_nonnulls(recorded_cents, reported_cents, moved_at)
        = CASE WHEN kind IN ('captured_not_recorded','recorded_not_captured','amount_differs','other') THEN 3 ELSE 0 END);
    CREATE INDEX money_cases_differences ON money_cases (organization_id, gateway_object, kind, id)
      WHERE kind IN ('captured_not_recorded','recorded_not_captured','amount_differs','other');
    CREATE INDEX money_cases_moved ON money_cases (organization_id, moved_at) WHERE moved_at IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM money_cases WHERE kind IN ('captured_not_recorded','recorded_not_captured','amount_differs','other');
    DROP INDEX captures_recorded;
    ALTER TABLE money_cases
      DROP CONSTRAINT case_of_difference,
      DROP CONSTRAINT money_cases_kind_check,
      DROP COLUMN recorded_cents,
      DROP COLUMN reported_cents,
      DROP COLUMN moved_at,
      ADD CONSTRAINT money_cases_kind_check CHECK (kind IN ('refund_unknown','dispute_unallocated','remittance_flagged',
        'refund_bounced','manual_refund_due'));
    DROP TABLE gateway_movements, reconciliations CASCADE;
  `);
