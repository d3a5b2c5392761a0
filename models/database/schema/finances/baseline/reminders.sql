-- Reminders of payers before and after due dates.

-- Reminders of payers: at most one per payer and day. A reminder may name several invoices.
CREATE TABLE payment_reminders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  -- null: the payer is the chapter
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
-- finds the reminders of one payer on a day
CREATE INDEX payment_reminders_payer ON payment_reminders (organization_id, day, (coalesce(membership_id, chapter_id)));

-- Reminders of single invoices: at most one per kind, due date and occasion.
CREATE TABLE invoice_reminders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('overdue', 'due_soon', 'dunning', 'asked')),
  -- the due date that the reminder names; null: the invoice's first due date
  moved_to date,
  -- distinguishes reminders of one kind: the configured number of days before the due date, the number of dunning
  -- intervals that have passed, or the day on which a person requested the reminder
  occasion text NOT NULL DEFAULT '' CHECK (length(occasion) <= 10),
  -- the payer's reminder that names this invoice; null: the reminder is about this invoice alone
  reminder_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT invoice_reminders_once UNIQUE NULLS NOT DISTINCT (organization_id, invoice_id, kind, moved_to, occasion),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  CONSTRAINT invoice_reminders_reminder_fkey FOREIGN KEY (organization_id, reminder_id)
    REFERENCES payment_reminders (organization_id, id)
);
CREATE INDEX invoice_reminders_reminder ON invoice_reminders (organization_id, reminder_id) WHERE reminder_id IS NOT NULL;
