import type { Migration } from '../../schemaFiles.js';

/**
 * Records which organization uses which webhook secret, as keyed digests that are of no use without the key. Two
 * organizations cannot share a secret, because an event for one would then verify for the other.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE payment_webhook_secrets (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text NOT NULL CHECK (length(digest) BETWEEN 40 AND 200),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT webhook_secrets_of_one UNIQUE (digest)
    );
  `);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE payment_webhook_secrets;');
