-- An organization's bulletins to all members, a region or a chapter. Whether a bulletin is a draft, scheduled,
-- published or expired follows from its times. Each edition is announced by one notification at most; `told_edition` is
-- the last edition that was announced or that needs no announcement.
CREATE TABLE bulletins (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  author_id uuid NOT NULL REFERENCES users,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200 AND title !~ '[[:cntrl:]]'),
  body_html text NOT NULL CHECK (octet_length(body_html) BETWEEN 1 AND 102400),
  target_type text NOT NULL CHECK (target_type IN ('organization', 'region', 'chapter')),
  region_id uuid,
  chapter_id uuid,
  publish_at timestamptz,
  expires_at timestamptz,
  -- The person who published or scheduled the bulletin; null: the author. If this person has lost the right when the
  -- time comes, the bulletin is refused.
  decided_by uuid REFERENCES users,
  refusal text CHECK (refusal IN ('forbidden')),
  is_pinned boolean NOT NULL DEFAULT false,
  edition integer NOT NULL DEFAULT 0,
  told_edition integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  CONSTRAINT bulletins_target CHECK ((target_type = 'region') = (region_id IS NOT NULL)
    AND (target_type = 'chapter') = (chapter_id IS NOT NULL)),
  CONSTRAINT bulletins_expiry CHECK (expires_at > publish_at),
  CONSTRAINT bulletins_refused CHECK (refusal IS NULL OR publish_at IS NULL),
  CONSTRAINT bulletins_told CHECK (told_edition BETWEEN 0 AND edition)
);
CREATE INDEX bulletins_newest ON bulletins (organization_id, id DESC);
CREATE INDEX bulletins_shown ON bulletins (organization_id, is_pinned, publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX bulletins_untold ON bulletins (id) WHERE told_edition < edition;
CREATE INDEX bulletins_author ON bulletins (author_id);
CREATE INDEX bulletins_region ON bulletins (organization_id, region_id) WHERE region_id IS NOT NULL;
CREATE INDEX bulletins_chapter ON bulletins (organization_id, chapter_id) WHERE chapter_id IS NOT NULL;
CREATE INDEX bulletins_decided_by ON bulletins (decided_by);

-- Bulletins that a person has dismissed for themselves.
CREATE TABLE bulletin_dismissals (
  organization_id uuid NOT NULL REFERENCES organizations,
  bulletin_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, bulletin_id, user_id),
  FOREIGN KEY (organization_id, bulletin_id) REFERENCES bulletins (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX bulletin_dismissals_user ON bulletin_dismissals (user_id);
