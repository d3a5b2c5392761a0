import type { Migration } from '../../schemaFiles.js';

/**
 * Records the billed amount of an invoice when its plan was granted, which separates later charges from unpaid ones;
 * null: written by the previous release.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE payment_plans ADD COLUMN billed_cents bigint CHECK (billed_cents >= 0);
    UPDATE payment_plans p SET billed_cents = greatest(0,
      (SELECT coalesce(sum(l.amount_cents), 0) FROM invoice_line_items l
        WHERE l.organization_id = p.organization_id AND l.invoice_id = p.invoice_id AND l.created_at <= p.created_at)
      - (SELECT coalesce(sum(d.amount_cents), 0) FROM invoice_discounts d
          WHERE d.organization_id = p.organization_id AND d.invoice_id = p.invoice_id AND d.created_at <= p.created_at
            AND (d.voided_at IS NULL OR d.voided_at > p.created_at)))
     WHERE p.status = 'active';
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE payment_plans DROP COLUMN billed_cents;');
