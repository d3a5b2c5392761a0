-- Posts of an organization on the professional network, through the author's linked account. The network has no
-- idempotency keys, so `claimed_at` is committed before the network is called. While it is set, the post is sent only
-- after a look-up at the network.
CREATE TABLE social_posts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  author_id uuid NOT NULL REFERENCES users,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 3000),
  link_url text CHECK (length(link_url) BETWEEN 1 AND 2000 AND link_url ~ '^https?://'),
  status text NOT NULL DEFAULT 'draft'
    CHECK (status IN ('draft', 'scheduled', 'publishing', 'published', 'failed', 'unknown')),
  publish_at timestamptz,
  -- time of the first attempt to publish: from then on it is possible that the network has the post
  claimed_at timestamptz,
  published_at timestamptz,
  network_post_id text CHECK (length(network_post_id) BETWEEN 1 AND 255),
  failure text CHECK (failure IN ('not_an_admin', 'not_linked', 'not_permitted', 'refused', 'duplicate')),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  -- a network post belongs to one row
  CONSTRAINT social_posts_network_post_unique UNIQUE (organization_id, network_post_id),
  CONSTRAINT social_posts_scheduled CHECK (status <> 'scheduled' OR publish_at IS NOT NULL),
  CONSTRAINT social_posts_claimed CHECK (status NOT IN ('publishing', 'unknown', 'published') OR claimed_at IS NOT NULL),
  CONSTRAINT social_posts_unclaimed CHECK (status NOT IN ('draft', 'failed') OR claimed_at IS NULL),
  CONSTRAINT social_posts_published CHECK ((status = 'published') = (published_at IS NOT NULL)
    AND (status = 'published') = (network_post_id IS NOT NULL)),
  CONSTRAINT social_posts_failed CHECK ((status = 'failed') = (failure IS NOT NULL))
);
CREATE INDEX social_posts_newest ON social_posts (organization_id, id DESC);
CREATE INDEX social_posts_waiting ON social_posts (id) WHERE status IN ('scheduled', 'publishing');
CREATE INDEX social_posts_author ON social_posts (author_id);
