import type { Migration } from '../../schemaFiles.js';

/** Allows refunds of credit to the charge that it came from. Credit reserved for a refund cannot be spent. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE refunds ADD COLUMN of_credit boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT refund_of_credit CHECK (NOT of_credit OR (capture_id IS NOT NULL AND NOT waives AND request_id IS NULL));
    CREATE INDEX refunds_of_credit_under_way ON refunds (organization_id, payment_record_id)
      WHERE of_credit AND finished_at IS NULL;
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE refunds DROP COLUMN of_credit CASCADE;');
