-- Earlier words of texts, as they were before each edit. They are erased with their text.
CREATE TABLE forum_revisions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  post_id uuid NOT NULL,
  -- null: a revision of the post
  comment_id uuid,
  text_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(comment_id, post_id)) STORED,
  -- the version of the text that had these words
  version integer NOT NULL,
  title text CHECK ((title IS NULL) = (comment_id IS NOT NULL)),
  body text NOT NULL,
  body_html text NOT NULL,
  replaced_by uuid NOT NULL REFERENCES users,
  replaced_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forum_revisions_once UNIQUE (organization_id, text_id, version),
  FOREIGN KEY (organization_id, post_id) REFERENCES forum_posts (organization_id, id),
  FOREIGN KEY (organization_id, comment_id) REFERENCES forum_comments (organization_id, id)
);
