import type { Migration } from '../../schemaFiles.js';

/**
 * Creates payment reminders: some days before the due date, and repeatedly while an invoice is overdue; one mail per
 * payer and day. Dues may be issued without notifications.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- due_soon_days stays, because the previous release reads it
    ALTER TABLE org_dues_settings
      ADD COLUMN reminder_days_before integer[] NOT NULL DEFAULT '{7,1}'
        CONSTRAINT org_dues_settings_reminder_days_before_check
        CHECK (cardinality(reminder_days_before) <= 10 AND 0 < ALL (reminder_days_before) AND 60 >= ALL (reminder_days_before)),
      ADD COLUMN dunning_interval_days integer NOT NULL DEFAULT 14
        CONSTRAINT org_dues_settings_dunning_interval_days_check CHECK (dunning_interval_days BETWEEN 1 AND 90),
      ADD COLUMN dunning_max integer NOT NULL DEFAULT 3
        CONSTRAINT org_dues_settings_dunning_max_check CHECK (dunning_max BETWEEN 0 AND 24);
    UPDATE org_dues_settings SET reminder_days_before = CASE due_soon_days WHEN 0 THEN '{}' ELSE ARRAY[due_soon_days] END
     WHERE due_soon_days <> 7;

    -- the contents of a payer's one reminder mail of a day
    CREATE TABLE payment_reminders (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      -- null: the chapter pays
      membership_id uuid,
      day date NOT NULL,
      kind text NOT NULL CHECK (kind IN ('due_soon', 'overdue')),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT payment_reminders_once UNIQUE NULLS NOT DISTINCT (organization_id, chapter_id, membership_id, day),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
    );
    CREATE INDEX payment_reminders_day ON payment_reminders (organization_id, day, id);

    ALTER TABLE invoice_notices
      -- which reminder before the due date, which dunning step, or the day of a request
      ADD COLUMN occasion text NOT NULL DEFAULT '' CHECK (length(occasion) <= 10),
      ADD COLUMN reminder_id uuid,
      ADD CONSTRAINT invoice_notices_reminder_fkey FOREIGN KEY (organization_id, reminder_id)
        REFERENCES payment_reminders (organization_id, id),
      DROP CONSTRAINT invoice_notices_kind_check,
      ADD CONSTRAINT invoice_notices_kind_check CHECK (kind IN ('overdue', 'due_soon', 'dunning', 'asked')),
      DROP CONSTRAINT invoice_notices_once,
      ADD CONSTRAINT invoice_notices_once UNIQUE NULLS NOT DISTINCT (organization_id, invoice_id, kind, moved_to, occasion);
    CREATE INDEX invoice_notices_reminder ON invoice_notices (organization_id, reminder_id) WHERE reminder_id IS NOT NULL;
    UPDATE invoice_notices n SET occasion = coalesce(
        (SELECT s.due_soon_days FROM org_dues_settings s WHERE s.organization_id = n.organization_id), 7)
     WHERE kind = 'due_soon';

    ALTER TABLE dues_runs ADD COLUMN notify boolean NOT NULL DEFAULT true;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE dues_runs DROP COLUMN notify;
    DELETE FROM invoice_notices WHERE kind IN ('dunning', 'asked');
    DELETE FROM invoice_notices n USING invoice_notices o
     WHERE n.kind = 'due_soon' AND o.kind = 'due_soon' AND o.organization_id = n.organization_id
       AND o.invoice_id = n.invoice_id AND o.moved_to IS NOT DISTINCT FROM n.moved_to AND o.id < n.id;
    ALTER TABLE invoice_notices
      DROP CONSTRAINT invoice_notices_once, DROP COLUMN occasion, DROP COLUMN reminder_id,
      ADD CONSTRAINT invoice_notices_once UNIQUE NULLS NOT DISTINCT (organization_id, invoice_id, kind, moved_to),
      DROP CONSTRAINT invoice_notices_kind_check,
      ADD CONSTRAINT invoice_notices_kind_check CHECK (kind IN ('overdue', 'due_soon'));
    DROP TABLE payment_reminders;
    UPDATE org_dues_settings SET due_soon_days = coalesce((SELECT max(one) FROM unnest(reminder_days_before) one), 0);
    ALTER TABLE org_dues_settings DROP COLUMN reminder_days_before, DROP COLUMN dunning_interval_days, DROP COLUMN dunning_max;
  `);
