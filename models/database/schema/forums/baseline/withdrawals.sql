-- Threads in which a process withdraws the notifications of hidden texts.
CREATE TABLE forum_withdrawals (
  organization_id uuid NOT NULL REFERENCES organizations,
  post_id uuid NOT NULL,
  -- version of the post
  version integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CONSTRAINT forum_withdrawals_once PRIMARY KEY (organization_id, post_id, version),
  FOREIGN KEY (organization_id, post_id) REFERENCES forum_posts (organization_id, id)
);
CREATE INDEX forum_withdrawals_pending ON forum_withdrawals (post_id) WHERE finished_at IS NULL;
