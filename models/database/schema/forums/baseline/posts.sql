-- For the indexes of app.search_forum_texts, in which the tenant is a column. They have `_`, `<` and `/` as spaces: the
-- parser of Postgres takes seconds for a long text in which these follow each other closely.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Texts of forums. A deleted text stays as a placeholder, and its content is erased later.

CREATE TABLE forum_posts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  forum_id uuid NOT NULL,
  author_id uuid NOT NULL REFERENCES users,
  title text CHECK (length(title) BETWEEN 1 AND 200 AND title !~ '[[:cntrl:]]'),
  -- the Markdown, and the HTML that was rendered from it
  body text CHECK (length(body) BETWEEN 1 AND 20000),
  body_html text,
  -- pending_review and hidden: only its author and moderators see it. A removed text is also deleted.
  status text NOT NULL DEFAULT 'published' CHECK (status IN ('published','pending_review','hidden','removed')),
  -- when it was published first; null while it never was
  published_at timestamptz DEFAULT clock_timestamp(),
  -- when a moderator approved the text as it is now: flags do not hide it again
  approved_at timestamptz,
  is_pinned boolean NOT NULL DEFAULT false,
  is_locked boolean NOT NULL DEFAULT false,
  comment_count integer NOT NULL DEFAULT 0 CHECK (comment_count >= 0),
  last_activity_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid REFERENCES users,
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 100),
  request_hash text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, forum_id, id),
  CONSTRAINT forum_posts_deleted CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
  CONSTRAINT forum_posts_published CHECK (published_at IS NOT NULL OR status IN ('pending_review','removed')),
  CONSTRAINT forum_posts_removed CHECK ((status = 'removed') = coalesce(deleted_by <> author_id, false)),
  CONSTRAINT forum_posts_erased CHECK (num_nulls(title, body, body_html) = 0
    OR (num_nulls(title, body, body_html) = 3 AND deleted_at IS NOT NULL)),
  CONSTRAINT forum_posts_pinned CHECK (NOT is_pinned OR deleted_at IS NULL),
  FOREIGN KEY (organization_id, forum_id) REFERENCES forums (organization_id, id)
);
CREATE UNIQUE INDEX forum_posts_idempotency ON forum_posts (organization_id, author_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX forum_posts_feed ON forum_posts (organization_id, forum_id, is_pinned DESC, last_activity_at DESC, id DESC)
  INCLUDE (status, author_id);
-- for the number of unread threads
CREATE INDEX forum_posts_activity ON forum_posts (organization_id, forum_id, last_activity_at DESC, id DESC)
  WHERE deleted_at IS NULL AND status = 'published';
-- for the erasure of deleted texts
CREATE INDEX forum_posts_deleted_at ON forum_posts (deleted_at) WHERE deleted_at IS NOT NULL AND body IS NOT NULL;
CREATE INDEX forum_posts_search ON forum_posts
  USING gin (organization_id, to_tsvector('simple', translate(title || ' ' || body, '_</', '   ')));
CREATE INDEX forum_posts_author ON forum_posts (organization_id, author_id, forum_id);

CREATE TABLE forum_comments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  forum_id uuid NOT NULL,
  post_id uuid NOT NULL,
  author_id uuid NOT NULL REFERENCES users,
  body text CHECK (length(body) BETWEEN 1 AND 10000),
  body_html text,
  -- pending_review and hidden: only its author and moderators see it. A removed text is also deleted.
  status text NOT NULL DEFAULT 'published' CHECK (status IN ('published','pending_review','hidden','removed')),
  -- when it was published first; null while it never was
  published_at timestamptz DEFAULT clock_timestamp(),
  -- when a moderator approved the text as it is now: flags do not hide it again
  approved_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid REFERENCES users,
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 100),
  request_hash text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- the clock after the post was locked, so that comments are ordered as they were added
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forum_comments_deleted CHECK ((deleted_at IS NULL) = (deleted_by IS NULL)),
  CONSTRAINT forum_comments_published CHECK (published_at IS NOT NULL OR status IN ('pending_review','removed')),
  CONSTRAINT forum_comments_removed CHECK ((status = 'removed') = coalesce(deleted_by <> author_id, false)),
  CONSTRAINT forum_comments_erased CHECK (num_nulls(body, body_html) = 0
    OR (num_nulls(body, body_html) = 2 AND deleted_at IS NOT NULL)),
  FOREIGN KEY (organization_id, forum_id, post_id) REFERENCES forum_posts (organization_id, forum_id, id)
);
CREATE UNIQUE INDEX forum_comments_idempotency ON forum_comments (organization_id, author_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
-- for the erasure of deleted texts
CREATE INDEX forum_comments_deleted_at ON forum_comments (deleted_at) WHERE deleted_at IS NOT NULL AND body IS NOT NULL;
CREATE INDEX forum_comments_search ON forum_comments
  USING gin (organization_id, to_tsvector('simple', translate(body, '_</', '   ')));
CREATE INDEX forum_comments_list ON forum_comments (organization_id, post_id, created_at, id)
  INCLUDE (forum_id, status, author_id);

-- Up to when a person has read a thread.
CREATE TABLE forum_reads (
  organization_id uuid NOT NULL REFERENCES organizations,
  post_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  read_until timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id, post_id),
  FOREIGN KEY (organization_id, post_id) REFERENCES forum_posts (organization_id, id) ON DELETE CASCADE
);
