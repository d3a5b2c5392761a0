-- Forums of an organization, of one of its regions, or of a chapter.

CREATE TABLE forum_settings (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  forum_creators text NOT NULL DEFAULT 'admins_and_officers'
    CHECK (forum_creators IN ('admins','admins_and_officers')),
  -- number of flags that hide a text until a moderator decides; 0: flags never hide
  hide_after_flags integer NOT NULL DEFAULT 3 CHECK (hide_after_flags BETWEEN 0 AND 20),
  -- counts changes of the moderation rules, which processes keep in memory
  rules_version integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE forums (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description text CHECK (length(description) BETWEEN 1 AND 2000),
  chapter_id uuid,
  region_id uuid,
  visibility text NOT NULL DEFAULT 'open' CHECK (visibility IN ('open','invite_only','approval_required')),
  is_archived boolean NOT NULL DEFAULT false,
  -- maintained by a trigger of forum_memberships
  member_count integer NOT NULL DEFAULT 0 CHECK (member_count >= 0),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forums_name_normalized CHECK (name IS NFC NORMALIZED),
  CONSTRAINT forums_one_place CHECK (chapter_id IS NULL OR region_id IS NULL),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id)
);
CREATE INDEX forums_list ON forums (organization_id, name, id);
CREATE INDEX forums_chapter ON forums (organization_id, chapter_id) WHERE chapter_id IS NOT NULL;
CREATE INDEX forums_region ON forums (organization_id, region_id) WHERE region_id IS NOT NULL;
