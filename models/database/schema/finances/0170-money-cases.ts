import type { Migration } from '../../schemaFiles.js';

/**
 * Creates money cases: differences between the books and a provider that wait for a decision. The first kind is a
 * refund of a charge with several payments that names no member. Each payment also records refunds that were not made
 * by the platform.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE money_cases (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      processor_id uuid NOT NULL,
      capture_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('refund_unknown','dispute_unallocated')),
      -- the provider's id of the object
      gateway_object text NOT NULL CHECK (length(gateway_object) BETWEEN 1 AND 200),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      status text NOT NULL DEFAULT 'open' CHECK (status IN ('open','closed')),
      -- agreed: both sides agree again without a decision
      resolution text CHECK (resolution IN ('allocated','agreed')),
      note text CHECK (length(note) BETWEEN 1 AND 2000),
      closed_by uuid REFERENCES users,
      closed_at timestamptz,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT case_closed CHECK (num_nonnulls(closed_at, resolution) = CASE status WHEN 'closed' THEN 2 ELSE 0 END),
      CONSTRAINT case_decided CHECK (num_nonnulls(closed_by, note) = CASE resolution WHEN 'allocated' THEN 2 ELSE 0 END),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id),
      FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id)
    );
    CREATE UNIQUE INDEX money_cases_one_open ON money_cases (organization_id, capture_id) WHERE status = 'open';
    CREATE INDEX money_cases_status ON money_cases (organization_id, status, id);
    CREATE INDEX money_cases_kind ON money_cases (organization_id, kind, id);

    ALTER TABLE payment_records ADD COLUMN refunded_by_others_cents bigint NOT NULL DEFAULT 0;
    UPDATE payment_records p SET refunded_by_others_cents = greatest(0, p.refunded_cents - own.cents)
      FROM (SELECT p.id, coalesce(sum(r.amount_cents) FILTER (WHERE r.status = 'succeeded'), 0)::bigint AS cents FROM payment_records p
              LEFT JOIN refunds r ON r.organization_id = p.organization_id AND r.payment_record_id = p.id
             WHERE p.refunded_cents > 0 GROUP BY p.id) own
     WHERE own.id = p.id;
    ALTER TABLE payment_records ADD CONSTRAINT payment_refunded_by_others
      CHECK (refunded_by_others_cents BETWEEN 0 AND refunded_cents);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TRIGGER IF EXISTS payment_records_refunded_by ON payment_records;
    DROP TRIGGER IF EXISTS payment_records_brought_refunded ON payment_records;
    DROP FUNCTION IF EXISTS app.tell_refunded_by_others();
    ALTER TABLE payment_records DROP COLUMN refunded_by_others_cents;
    DROP TABLE money_cases CASCADE;
  `);
