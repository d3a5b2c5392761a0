-- Preferences: which events people want to hear of, and when.

-- Preferences: which events people want to hear of, and when.

-- Channels per event of a person in an organization. No row, or null for a channel: the organization's default.
CREATE TABLE notification_preferences (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  event_type text NOT NULL CHECK (event_type IN (
    'reply_to_post', 'new_post', 'mention', 'election_published', 'election_results_published', 'compliance_item_assigned',
    'compliance_item_due', 'invoice_issued', 'invoice_due_soon', 'invoice_overdue', 'payment_updated', 'course_assigned',
    'recognition_received', 'event_published', 'event_updated', 'event_reminder', 'platform_alert', 'account_security',
    'membership_changed', 'approval_requested', 'request_decided', 'bulletin_published', 'message_received')),
  in_app_enabled boolean,
  email_enabled boolean,
  push_enabled boolean,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT notification_preferences_once UNIQUE (organization_id, user_id, event_type),
  -- Security notices cannot be switched off, so that an intruder cannot silence them. Null is allowed, because the
  -- organization's default cannot be off either.
  CONSTRAINT notification_preferences_locked CHECK
    (event_type <> 'account_security' OR (in_app_enabled AND email_enabled))
);

-- the organization's defaults; no row: the platform's default (app.builtin_preference)
CREATE TABLE notification_defaults (
  organization_id uuid NOT NULL REFERENCES organizations,
  event_type text NOT NULL CHECK (event_type IN (
    'reply_to_post', 'new_post', 'mention', 'election_published', 'election_results_published', 'compliance_item_assigned',
    'compliance_item_due', 'invoice_issued', 'invoice_due_soon', 'invoice_overdue', 'payment_updated', 'course_assigned',
    'recognition_received', 'event_published', 'event_updated', 'event_reminder', 'platform_alert', 'account_security',
    'membership_changed', 'approval_requested', 'request_decided', 'bulletin_published', 'message_received')),
  in_app_enabled boolean NOT NULL,
  email_enabled boolean NOT NULL,
  push_enabled boolean NOT NULL,
  PRIMARY KEY (organization_id, event_type),
  CONSTRAINT notification_defaults_locked CHECK
    (event_type <> 'account_security' OR (in_app_enabled AND email_enabled))
);

-- subjects that a person has muted
CREATE TABLE notification_mutes (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  subject_type text NOT NULL CHECK (length(subject_type) BETWEEN 1 AND 100),
  subject_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id, subject_type, subject_id)
);

-- quiet hours: one row per person, valid in all of their organizations
CREATE TABLE user_quiet_hours (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  enabled boolean NOT NULL DEFAULT false,
  start_time time NOT NULL DEFAULT '22:00',
  end_time time NOT NULL DEFAULT '07:00',
  timezone text NOT NULL CHECK (length(timezone) BETWEEN 1 AND 64),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_quiet_hours_once UNIQUE (user_id),
  CONSTRAINT user_quiet_hours_differ CHECK (start_time <> end_time)
);
