-- Keys of the subscriptions, whose table belongs to the notifications.
ALTER TABLE forum_subscriptions
  ADD FOREIGN KEY (organization_id, forum_id) REFERENCES forums (organization_id, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (organization_id, forum_id, post_id) REFERENCES forum_posts (organization_id, forum_id, id);
