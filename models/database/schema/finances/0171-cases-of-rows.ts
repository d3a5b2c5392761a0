import type { Migration } from '../../schemaFiles.js';

/**
 * Adds cases without a charge: a flagged remittance, a refund that a bank returned, and credit to be refunded by hand.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE money_cases
      ALTER COLUMN processor_id DROP NOT NULL,
      ALTER COLUMN capture_id DROP NOT NULL,
      ADD COLUMN remittance_id uuid,
      ADD COLUMN refund_id uuid,
      ADD COLUMN settlement_id uuid,
      DROP CONSTRAINT money_cases_kind_check,
      DROP CONSTRAINT money_cases_resolution_check,
      DROP CONSTRAINT case_decided,
      ADD CONSTRAINT money_cases_kind_check CHECK (kind IN ('refund_unknown','dispute_unallocated','remittance_flagged',
        'refund_bounced','manual_refund_due')),
      ADD CONSTRAINT money_cases_resolution_check CHECK (resolution IN ('allocated','corrected','accepted','agreed')),
      ADD CONSTRAINT case_decided CHECK (num_nonnulls(closed_by, note) = CASE WHEN resolution <> 'agreed' THEN 2 ELSE 0 END),
      -- only cases of a charge have money to allocate
      ADD CONSTRAINT case_of_charge CHECK ((capture_id IS NOT NULL) = (kind IN ('refund_unknown','dispute_unallocated'))),
      ADD CONSTRAINT case_of_provider CHECK ((processor_id IS NULL) = (kind = 'manual_refund_due')),
      ADD CONSTRAINT case_of_remittance CHECK ((remittance_id IS NOT NULL) = (kind = 'remittance_flagged')),
      ADD CONSTRAINT case_of_refund CHECK (refund_id IS NULL OR kind = 'refund_bounced'),
      ADD CONSTRAINT case_of_settlement CHECK ((settlement_id IS NOT NULL) = (kind = 'manual_refund_due')),
      ADD FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
      ADD FOREIGN KEY (organization_id, refund_id) REFERENCES refunds (organization_id, id),
      ADD FOREIGN KEY (organization_id, settlement_id) REFERENCES terminal_settlements (organization_id, id);
    CREATE UNIQUE INDEX money_cases_once ON money_cases (organization_id, processor_id, gateway_object, kind) NULLS NOT DISTINCT
      WHERE status = 'open';
    CREATE INDEX money_cases_remittance ON money_cases (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
    CREATE INDEX money_cases_refund ON money_cases (organization_id, refund_id) WHERE refund_id IS NOT NULL;
    CREATE INDEX money_cases_settlement ON money_cases (organization_id, settlement_id) WHERE settlement_id IS NOT NULL;

    -- creates cases for rows that already wait
    INSERT INTO money_cases (organization_id, processor_id, kind, gateway_object, remittance_id, amount_cents)
    SELECT * FROM (
      SELECT c.organization_id, c.processor_id, 'remittance_flagged', c.intent_id, c.remittance_id, c.amount_cents - c.refunded_cents
             - coalesce((SELECT sum(p.amount_cents)::bigint FROM payment_records p WHERE p.organization_id = c.organization_id
                           AND p.processor_id = c.processor_id AND p.intent_id = c.intent_id AND p.status = 'succeeded'), 0) AS cents
        FROM processor_captures c WHERE c.disposition = 'flagged' AND c.remittance_id IS NOT NULL) waiting
     WHERE cents > 0;
    INSERT INTO money_cases (organization_id, kind, gateway_object, settlement_id, amount_cents)
    SELECT * FROM (
      SELECT s.organization_id, 'manual_refund_due', s.id::text, s.id,
             (SELECT coalesce(sum(CASE WHEN c.kind = 'shortfall' THEN 0
                       WHEN c.kind = 'issued' OR (c.kind = 'reversed' AND r.kind <> 'issued') THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
                FROM chapter_account_credits c
                LEFT JOIN chapter_account_credits r ON r.organization_id = c.organization_id AND r.id = c.reverses
               WHERE c.organization_id = s.organization_id AND c.chapter_id = s.chapter_id AND c.membership_id = s.membership_id) AS cents
        FROM terminal_settlements s WHERE s.status = 'kept') kept
     WHERE cents > 0;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM money_cases WHERE kind IN ('remittance_flagged','refund_bounced','manual_refund_due');
    DROP INDEX money_cases_once;
    ALTER TABLE money_cases
      DROP CONSTRAINT money_cases_kind_check,
      DROP CONSTRAINT money_cases_resolution_check,
      DROP CONSTRAINT case_decided,
      DROP CONSTRAINT case_of_charge,
      DROP CONSTRAINT case_of_provider,
      DROP COLUMN remittance_id,
      DROP COLUMN refund_id,
      DROP COLUMN settlement_id,
      ALTER COLUMN processor_id SET NOT NULL,
      ALTER COLUMN capture_id SET NOT NULL,
      ADD CONSTRAINT money_cases_kind_check CHECK (kind IN ('refund_unknown','dispute_unallocated')),
      ADD CONSTRAINT money_cases_resolution_check CHECK (resolution IN ('allocated','agreed')),
      ADD CONSTRAINT case_decided CHECK (num_nonnulls(closed_by, note) = CASE resolution WHEN 'allocated' THEN 2 ELSE 0 END);
  `);
