import type { Migration } from '../../schemaFiles.js';

/**
 * Four providers, of which some hold the money with the first step: since when that may have been asked for. Tokens of cards are
 * longer there. Nobody could ever connect the provider that goes.
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
