-- Digest frequency of a person; no row: no digest.
CREATE TABLE digest_preferences (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  frequency text CHECK (frequency IN ('daily', 'weekly')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT digest_preferences_once UNIQUE (organization_id, user_id)
);
CREATE INDEX digest_preferences_wanted ON digest_preferences (organization_id, user_id) WHERE frequency IS NOT NULL;

-- Digests, one per period. The period of a digest begins where that of the previous digest ended.
CREATE TABLE notification_digests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  frequency text NOT NULL CHECK (frequency IN ('daily', 'weekly')),
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  notification_count integer NOT NULL CHECK (notification_count > 0),
  -- notifications that the digest lists, in order; it only counts the remaining ones
  notification_ids uuid[] NOT NULL CHECK (cardinality(notification_ids) BETWEEN 1 AND 50),
  summary text CHECK (length(summary) BETWEEN 1 AND 600),
  -- when the mail of the digest is due; quiet hours may delay it
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Whether quiet hours delay the digest. When the person changes the quiet hours, only such digests are looked up.
  held boolean NOT NULL DEFAULT false,
  mail_id uuid,
  sent_at timestamptz,
  -- reason why the digest was not mailed
  unmailed_reason text CHECK (length(unmailed_reason) BETWEEN 1 AND 50),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, mail_id) REFERENCES mail_messages (organization_id, id) ON DELETE SET NULL (mail_id),
  CONSTRAINT notification_digests_once UNIQUE (organization_id, user_id, frequency, period_start),
  CONSTRAINT notification_digests_period CHECK (period_start < period_end AND period_end <= period_start + interval '14 days')
);
CREATE INDEX notification_digests_unmailed ON notification_digests (organization_id, due_at)
  WHERE sent_at IS NULL AND unmailed_reason IS NULL;
CREATE INDEX notification_digests_age ON notification_digests (created_at);
CREATE INDEX notification_digests_listed ON notification_digests (organization_id, user_id, id);
CREATE INDEX notification_digests_held ON notification_digests (user_id)
  WHERE held AND sent_at IS NULL AND unmailed_reason IS NULL;
