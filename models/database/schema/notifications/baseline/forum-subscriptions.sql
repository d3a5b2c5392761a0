-- Subscriptions of people in forums: one row for the forum, made when they become members, and one for each thread that
-- they write in or follow. The row of a thread wins over that of its forum. The area forums adds the foreign keys.
CREATE TABLE forum_subscriptions (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  forum_id uuid NOT NULL,
  -- null: the row of the forum
  post_id uuid,
  new_posts boolean,
  replies boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT forum_subscriptions_once UNIQUE NULLS NOT DISTINCT (organization_id, forum_id, user_id, post_id),
  CONSTRAINT forum_subscriptions_of CHECK ((post_id IS NULL) = (new_posts IS NOT NULL))
);
CREATE INDEX forum_subscriptions_forum ON forum_subscriptions (organization_id, forum_id, user_id)
  INCLUDE (new_posts, replies) WHERE post_id IS NULL;
CREATE INDEX forum_subscriptions_thread ON forum_subscriptions (organization_id, post_id, user_id)
  INCLUDE (replies) WHERE post_id IS NOT NULL;
CREATE INDEX forum_subscriptions_user ON forum_subscriptions (organization_id, user_id);
