-- Bulletins: mails of the foundation to its donors, or to the members of its organization.

CREATE TABLE foundation_bulletins (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
  -- sanitized HTML; null for a bulletin that is sent as plain text
  body_html text CHECK (octet_length(body_html) BETWEEN 1 AND 102400),
  -- null if the text part of the mail is made from the HTML
  body_text text CHECK (length(body_text) BETWEEN 1 AND 20000),
  audience text NOT NULL
    CHECK (audience IN ('all_donors','recurring_donors','campaign_donors','organization_members')),
  campaign_id uuid,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft','scheduled','sending','sent')),
  -- when it is or was due
  send_at timestamptz,
  -- number of the last process, which is part of the process id and of the Message-IDs of its mails
  round integer NOT NULL DEFAULT 0 CHECK (round >= 0),
  -- the admin who scheduled it, sent it or tried failed mails again last
  started_by uuid REFERENCES users ON DELETE SET NULL,
  -- when the audience was frozen
  started_at timestamptz,
  -- when the last outcome was recorded, to the minute
  progressed_at timestamptz,
  -- the step that may claim recipients; an earlier step whose worker was slow can claim no more
  sender uuid,
  -- when sending was put on hold: it was late, stood still for too long, or its admin lost the role
  held_at timestamptz,
  stopped_at timestamptz,
  sent_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT foundation_bulletins_body CHECK (num_nonnulls(body_html, body_text) > 0),
  CONSTRAINT foundation_bulletins_audience CHECK ((audience = 'campaign_donors') = (campaign_id IS NOT NULL)),
  CONSTRAINT foundation_bulletins_due CHECK ((status = 'draft') = (send_at IS NULL)),
  CONSTRAINT foundation_bulletins_started CHECK (started_at IS NULL OR status IN ('sending','sent')),
  CONSTRAINT foundation_bulletins_progressed CHECK ((started_at IS NULL) = (progressed_at IS NULL)),
  CONSTRAINT foundation_bulletins_held CHECK (held_at IS NULL OR status IN ('scheduled','sending')),
  CONSTRAINT foundation_bulletins_sent CHECK ((status = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT foundation_bulletins_stopped CHECK (stopped_at IS NULL OR status = 'sent'),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns (organization_id, id)
);
CREATE INDEX foundation_bulletins_status ON foundation_bulletins (organization_id, status, id DESC);
CREATE INDEX foundation_bulletins_pending ON foundation_bulletins (id) WHERE status IN ('scheduled','sending');
CREATE INDEX foundation_bulletins_starter ON foundation_bulletins (started_by) WHERE started_by IS NOT NULL;

-- The frozen audience of a bulletin: one row for each address.
CREATE TABLE foundation_bulletin_recipients (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  bulletin_id uuid NOT NULL,
  email text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 1 AND 254),
  -- the donor or the member with this address
  donor_id uuid,
  user_id uuid REFERENCES users,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','sent','failed','bounced','skipped')),
  reason text CHECK (reason IN ('server_unavailable','outcome_unknown','refused','unsubscribed','suppressed',
    'not_entitled','stopped')),
  -- the round in which the recipient was claimed, before the mail was sent; null: not claimed yet
  claimed_round integer CHECK (claimed_round > 0),
  concluded_at timestamptz,
  CONSTRAINT bulletin_recipients_kind CHECK (num_nonnulls(donor_id, user_id) = 1),
  CONSTRAINT bulletin_recipients_concluded CHECK ((status = 'pending') = (concluded_at IS NULL)),
  CONSTRAINT bulletin_recipients_reason CHECK ((status IN ('failed','skipped')) = (reason IS NOT NULL)),
  CONSTRAINT bulletin_recipients_claimed
    CHECK (status = 'pending' OR (status = 'skipped') = (claimed_round IS NULL)),
  UNIQUE (organization_id, id),
  -- The id is included, so that late pages of the list skip rows by the index alone.
  CONSTRAINT bulletin_recipients_once UNIQUE (organization_id, bulletin_id, email) INCLUDE (id),
  FOREIGN KEY (organization_id, bulletin_id) REFERENCES foundation_bulletins (organization_id, id),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id)
);
-- Recipients by status, which also finds the next ones to claim.
CREATE INDEX bulletin_recipients_status ON foundation_bulletin_recipients (organization_id, bulletin_id, status, email)
  INCLUDE (id);
-- Claimed recipients without an outcome: at most ten for each bulletin.
CREATE INDEX bulletin_recipients_in_flight ON foundation_bulletin_recipients (organization_id, bulletin_id)
  WHERE status = 'pending' AND claimed_round IS NOT NULL;

-- Addresses that unsubscribed from bulletins.
CREATE TABLE foundation_bulletin_optouts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  email text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 1 AND 254),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT bulletin_optouts_once UNIQUE (organization_id, email)
);
