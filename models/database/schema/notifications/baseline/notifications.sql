-- Notifications: at most one per fact and person.

-- Notifications: at most one per fact and person.

CREATE TABLE notifications (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  recipient_id uuid NOT NULL REFERENCES users,
  -- identifies the event by its subject and cause: `invoice:<id>:overdue`
  event_id text NOT NULL CHECK (length(event_id) BETWEEN 1 AND 200),
  notification_type text NOT NULL CHECK (notification_type ~ '^[a-z_]{1,100}$'),
  event_type text NOT NULL CHECK (event_type IN (
    'reply_to_post', 'new_post', 'mention', 'election_published', 'election_results_published', 'compliance_item_assigned',
    'compliance_item_due', 'invoice_issued', 'invoice_due_soon', 'invoice_overdue', 'payment_updated', 'course_assigned',
    'recognition_received', 'event_published', 'event_updated', 'event_reminder', 'platform_alert', 'account_security',
    'membership_changed', 'approval_requested', 'request_decided', 'bulletin_published', 'message_received')),
  category text NOT NULL GENERATED ALWAYS AS (CASE
    WHEN event_type IN ('reply_to_post', 'new_post', 'mention') THEN 'forum'
    WHEN event_type IN ('election_published', 'election_results_published') THEN 'election'
    WHEN event_type IN ('compliance_item_assigned', 'compliance_item_due') THEN 'compliance'
    WHEN event_type IN ('invoice_issued', 'invoice_due_soon', 'invoice_overdue', 'payment_updated') THEN 'billing'
    WHEN event_type = 'course_assigned' THEN 'learning'
    WHEN event_type = 'recognition_received' THEN 'recognition'
    WHEN event_type IN ('event_published', 'event_updated', 'event_reminder') THEN 'events'
    ELSE 'system' END) STORED,
  -- critical events go first, and bypass quiet hours
  critical boolean NOT NULL GENERATED ALWAYS AS (event_type IN ('invoice_issued', 'invoice_due_soon', 'invoice_overdue',
    'payment_updated', 'account_security', 'membership_changed')) STORED,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200 AND title !~ '[[:cntrl:]]'),
  body text NOT NULL DEFAULT '' CHECK (length(body) <= 500),
  -- the body for an officer who may not see amounts
  body_without_amounts text CHECK (length(body_without_amounts) <= 500),
  -- path of the page that the notification opens; the check allows only paths of the platform, no other sites
  target_url text NOT NULL DEFAULT '/' CHECK (target_url ~ '^/([^/\\[:cntrl:]][^\\[:cntrl:]]*)?$' AND length(target_url) <= 500),
  subject_type text NOT NULL CHECK (length(subject_type) BETWEEN 1 AND 100),
  subject_id uuid NOT NULL,
  actor_id uuid REFERENCES users,
  -- the chapter or organization through whose office the recipient may see the notification; null: the notification is
  -- about the recipient
  office_of uuid,
  requires_action boolean NOT NULL DEFAULT false,
  action_label text CHECK (length(action_label) BETWEEN 1 AND 50),
  -- whether only people with access are notified; false for news about lost access
  needs_access boolean NOT NULL DEFAULT true,
  -- reason why the notification is missing from the recipient's list; null if it is listed
  unlisted_reason text CHECK (length(unlisted_reason) BETWEEN 1 AND 50),
  read_at timestamptz,
  resolved_at timestamptz,
  -- time until which quiet hours delay mail and push of the notification
  scheduled_for timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT notifications_once UNIQUE (organization_id, event_id, recipient_id),
  CONSTRAINT notifications_action CHECK (requires_action = (action_label IS NOT NULL))
);
CREATE INDEX notifications_subject ON notifications (organization_id, subject_id, recipient_id);
CREATE INDEX notifications_unread_mentions ON notifications (organization_id, subject_id, recipient_id)
  WHERE event_type = 'mention' AND unlisted_reason IS NULL AND read_at IS NULL;
CREATE INDEX notifications_age ON notifications (created_at);
CREATE INDEX notifications_listed ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
  WHERE unlisted_reason IS NULL;
CREATE INDEX notifications_unread ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
  WHERE unlisted_reason IS NULL AND read_at IS NULL;
CREATE INDEX notifications_to_act_on ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
  WHERE unlisted_reason IS NULL AND read_at IS NULL AND requires_action;

-- One delivery of a notification on a channel, and its outcome.
CREATE TABLE notification_deliveries (
  organization_id uuid NOT NULL REFERENCES organizations,
  notification_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'ios', 'android')),
  recipient_id uuid NOT NULL REFERENCES users,
  critical boolean NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- whether quiet hours delay or have delayed the delivery; delayed deliveries are combined into one mail
  held boolean NOT NULL DEFAULT false,
  -- a claim expires after 2 minutes
  claimed_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- time of the first attempt; mail is retried for a day after it
  first_tried_at timestamptz,
  -- the mail that contains this notification, possibly with other notifications
  mail_id uuid,
  outcome text CHECK (outcome IN ('sent', 'suppressed', 'failed', 'unknown')),
  reason text CHECK (length(reason) BETWEEN 1 AND 50),
  concluded_at timestamptz,
  PRIMARY KEY (organization_id, notification_id, channel),
  FOREIGN KEY (organization_id, notification_id) REFERENCES notifications (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, mail_id) REFERENCES mail_messages (organization_id, id) ON DELETE SET NULL (mail_id),
  CONSTRAINT notification_deliveries_concluded CHECK ((outcome IS NULL) = (concluded_at IS NULL)),
  CONSTRAINT notification_deliveries_reason CHECK (outcome IS NULL OR outcome = 'sent' OR reason IS NOT NULL)
);
-- critical ones first
CREATE INDEX notification_deliveries_waiting ON notification_deliveries
  (organization_id, channel, critical DESC, due_at, notification_id) WHERE outcome IS NULL;
CREATE INDEX notification_deliveries_due ON notification_deliveries (due_at, organization_id) WHERE outcome IS NULL;
CREATE INDEX notification_deliveries_mail ON notification_deliveries (organization_id, mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX notification_deliveries_held ON notification_deliveries (recipient_id) WHERE outcome IS NULL AND held;
