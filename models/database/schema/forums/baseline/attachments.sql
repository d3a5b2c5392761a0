-- Files of texts. A file is uploaded first, then named in one text of the same person and forum; the file of a text that
-- its author deletes, or that is erased, is removed with this row.
CREATE TABLE forum_attachments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  forum_id uuid NOT NULL,
  uploaded_by uuid NOT NULL REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('image','document')),
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 200),
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  -- null: refused as infected
  file_id uuid,
  -- both null: in no text yet; the file is removed after a day
  post_id uuid,
  comment_id uuid,
  -- order in the text
  position smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forum_attachments_file UNIQUE (organization_id, file_id),
  CONSTRAINT forum_attachments_one_text CHECK (num_nonnulls(post_id, comment_id) <= 1),
  CONSTRAINT forum_attachments_refused CHECK (file_id IS NOT NULL OR num_nonnulls(post_id, comment_id) = 1),
  FOREIGN KEY (organization_id, forum_id) REFERENCES forums (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, forum_id, post_id) REFERENCES forum_posts (organization_id, forum_id, id),
  FOREIGN KEY (organization_id, comment_id) REFERENCES forum_comments (organization_id, id),
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX forum_attachments_post ON forum_attachments (organization_id, post_id) WHERE post_id IS NOT NULL;
CREATE INDEX forum_attachments_comment ON forum_attachments (organization_id, comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX forum_attachments_unattached ON forum_attachments (organization_id, uploaded_by)
  WHERE post_id IS NULL AND comment_id IS NULL;
