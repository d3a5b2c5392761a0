-- Moderation of the texts of forums.

CREATE TABLE moderation_rules (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  kind text NOT NULL CHECK (kind IN ('keyword','link')),
  pattern text NOT NULL CHECK (length(pattern) BETWEEN 1 AND 200),
  action text NOT NULL CHECK (action IN ('flag','block')),
  -- what the author of a blocked text reads
  message text CHECK (length(message) BETWEEN 1 AND 500),
  is_active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);

-- Decisions about a post or a comment. A text has at most one open case.
CREATE TABLE forum_cases (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  forum_id uuid NOT NULL,
  post_id uuid NOT NULL,
  -- null: the case is about the post
  comment_id uuid,
  text_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(comment_id, post_id)) STORED,
  author_id uuid NOT NULL REFERENCES users,
  opened_by text NOT NULL CHECK (opened_by IN ('rule','flag','moderator')),
  -- the rules that the text matched, as they were: [{kind, pattern}]
  matched_rules jsonb NOT NULL DEFAULT '[]',
  -- closed: the author deleted the text before a decision
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open','approved','removed','appealed','closed')),
  decided_by uuid REFERENCES users,
  decided_at timestamptz,
  reason text CHECK (length(reason) BETWEEN 1 AND 1000),
  appeal_text text CHECK (length(appeal_text) BETWEEN 1 AND 2000),
  appealed_at timestamptz,
  appeal_decided_by uuid REFERENCES users,
  appeal_decided_at timestamptz,
  appeal_reason text CHECK (length(appeal_reason) BETWEEN 1 AND 1000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forum_cases_decided CHECK ((decided_by IS NULL) = (decided_at IS NULL)
    AND (decided_by IS NULL) = (status IN ('open','closed'))),
  CONSTRAINT forum_cases_reason CHECK (status NOT IN ('removed','appealed') OR reason IS NOT NULL),
  CONSTRAINT forum_cases_appeal CHECK ((appeal_decided_by IS NULL) = (appeal_decided_at IS NULL)
    AND (appeal_decided_at IS NULL OR appealed_at IS NOT NULL)
    AND (status = 'appealed') = (appealed_at IS NOT NULL AND appeal_decided_at IS NULL)),
  CONSTRAINT forum_cases_not_own CHECK (decided_by <> author_id AND appeal_decided_by <> author_id),
  CONSTRAINT forum_cases_appeal_by_another CHECK (appeal_decided_by <> decided_by),
  FOREIGN KEY (organization_id, forum_id, post_id) REFERENCES forum_posts (organization_id, forum_id, id),
  FOREIGN KEY (organization_id, comment_id) REFERENCES forum_comments (organization_id, id)
);
CREATE UNIQUE INDEX forum_cases_one_open ON forum_cases (organization_id, text_id) WHERE status = 'open';
CREATE INDEX forum_cases_text ON forum_cases (organization_id, text_id, id DESC);
CREATE INDEX forum_cases_queue ON forum_cases (organization_id, forum_id, id) WHERE status IN ('open','appealed');

-- Flags of members, one per case and person.
CREATE TABLE forum_flags (
  organization_id uuid NOT NULL REFERENCES organizations,
  case_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  reason text CHECK (length(reason) BETWEEN 1 AND 200),
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  -- whether it counts towards hiding the text: the person joined the organization before that day
  counts boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, case_id, user_id),
  FOREIGN KEY (organization_id, case_id) REFERENCES forum_cases (organization_id, id)
);
CREATE INDEX forum_flags_user ON forum_flags (organization_id, user_id);
