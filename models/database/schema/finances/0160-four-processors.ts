import type { Migration } from '../../schemaFiles.js';

/**
 * Supports four providers, and records since when an authorization may have been requested, for providers that
 * authorize before they capture. Their card tokens are longer. The removed provider could never be connected.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE org_payment_processors DROP CONSTRAINT org_payment_processors_provider_check,
      ADD CONSTRAINT org_payment_processors_provider_check
        CHECK (provider IN ('stripe','square','paypal','checkout'));
    ALTER TABLE payment_attempts DROP CONSTRAINT payment_attempts_payment_method_check,
      ADD CONSTRAINT payment_attempts_payment_method_check CHECK (length(payment_method) BETWEEN 1 AND 300),
      ADD COLUMN charge_asked_at timestamptz;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE payment_attempts DROP COLUMN charge_asked_at,
      DROP CONSTRAINT payment_attempts_payment_method_check,
      ADD CONSTRAINT payment_attempts_payment_method_check CHECK (length(payment_method) BETWEEN 1 AND 200) NOT VALID;
    ALTER TABLE org_payment_processors DROP CONSTRAINT org_payment_processors_provider_check,
      ADD CONSTRAINT org_payment_processors_provider_check
        CHECK (provider IN ('stripe','square','paypal','authorize_net')) NOT VALID;
  `);
