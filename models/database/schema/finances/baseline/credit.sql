-- A payer's credit: issued - applied - refunded; a reversal undoes the entry that it names.
CREATE TABLE chapter_account_credits (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  payer_type text NOT NULL CHECK (payer_type IN ('chapter','member')),
  membership_id uuid,
  kind text NOT NULL CHECK (kind IN
    ('issued','applied','refunded','reversed','shortfall','recovered','moved_out','moved_in')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  invoice_id uuid,
  payment_record_id uuid,
  capture_resolution_id uuid,
  reverses uuid,
  -- for credit that moved: the entry by which it left the person's earlier membership
  moved_from uuid,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  created_by uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT credit_payer CHECK ((payer_type = 'member') = (membership_id IS NOT NULL)),
  CHECK ((kind = 'reversed') = (reverses IS NOT NULL)),
  CHECK (kind <> 'applied' OR invoice_id IS NOT NULL),
  CONSTRAINT credit_from_payment_names_invoice CHECK (payment_record_id IS NULL OR invoice_id IS NOT NULL),
  CONSTRAINT credit_one_source CHECK (capture_resolution_id IS NULL OR
    (num_nonnulls(payment_record_id, invoice_id) = 0 AND kind IN ('issued','refunded','shortfall','moved_out','moved_in'))),
  CONSTRAINT credit_moved_from CHECK ((kind = 'moved_in') = (moved_from IS NOT NULL)),
  -- moved credit stays linked to the invoice or payment that it came from
  CONSTRAINT credit_moves_with_source CHECK (kind NOT IN ('moved_out','moved_in')
    OR (membership_id IS NOT NULL AND (invoice_id IS NULL) = (payment_record_id IS NULL))),
  -- A shortfall entry names the payment or the unmatched payment that was refunded after the credit from it was spent.
  -- Any later credit of the payer may cover the shortfall.
  CONSTRAINT credit_shortfall_names_payment
    CHECK (kind <> 'shortfall' OR num_nonnulls(payment_record_id, capture_resolution_id) = 1),
  CONSTRAINT credit_recovery_is_any_credit CHECK (kind <> 'recovered' OR num_nonnulls(payment_record_id, invoice_id) = 0),
  UNIQUE (organization_id, id),
  CONSTRAINT credits_reversed_once UNIQUE (organization_id, reverses),
  CONSTRAINT credits_moved_once UNIQUE (organization_id, moved_from),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id),
  CONSTRAINT credit_of_capture FOREIGN KEY (organization_id, capture_resolution_id)
    REFERENCES capture_resolutions (organization_id, id),
  FOREIGN KEY (organization_id, reverses) REFERENCES chapter_account_credits (organization_id, id),
  CONSTRAINT credit_moved_entry FOREIGN KEY (organization_id, moved_from)
    REFERENCES chapter_account_credits (organization_id, id)
);
CREATE INDEX credits_payer ON chapter_account_credits (organization_id, chapter_id, membership_id, id);
CREATE INDEX credits_shortfalls ON chapter_account_credits (organization_id, chapter_id, membership_id)
  WHERE kind IN ('shortfall','recovered');
CREATE INDEX credits_payment ON chapter_account_credits (organization_id, payment_record_id)
  WHERE payment_record_id IS NOT NULL;
CREATE INDEX credits_invoice ON chapter_account_credits (organization_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX credits_resolution ON chapter_account_credits (organization_id, capture_resolution_id)
  WHERE capture_resolution_id IS NOT NULL;

-- Settlements of the credit of members whose membership has ended: remaining credit is refunded.
CREATE TABLE terminal_settlements (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  -- kept: credit that cannot be refunded to a charge waits for an administrator; cancelled: the membership continues
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting','refunding','refunded','kept','cancelled')),
  refunds_at timestamptz NOT NULL,
  -- the person who ended the membership; null: the platform
  requested_by uuid REFERENCES users,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status IN ('waiting','refunding')) = (finished_at IS NULL)),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
CREATE UNIQUE INDEX terminal_settlements_one_live ON terminal_settlements (organization_id, membership_id)
  WHERE finished_at IS NULL;
CREATE INDEX terminal_settlements_live ON terminal_settlements (id) WHERE finished_at IS NULL;
CREATE INDEX terminal_settlements_membership ON terminal_settlements (organization_id, membership_id);
