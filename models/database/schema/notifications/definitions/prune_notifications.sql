-- Deletes notifications older than a year, of all organizations, in a batch small enough for a short transaction,
-- with their deliveries, mails and digests. Returns a number only.
CREATE OR REPLACE FUNCTION app.prune_notifications(p_most int) RETURNS int
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM notifications WHERE id IN (
      SELECT id FROM notifications WHERE created_at < now() - interval '365 days'
       ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING 1),
  mails AS (
    DELETE FROM mail_messages WHERE id IN (
      SELECT id FROM mail_messages WHERE claimed_at < now() - interval '365 days'
       ORDER BY claimed_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING 1),
  digests AS (
    DELETE FROM notification_digests WHERE id IN (
      SELECT id FROM notification_digests WHERE created_at < now() - interval '365 days'
       ORDER BY created_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING 1)
  SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM mails) + (SELECT count(*) FROM digests))::int $$;
REVOKE ALL ON FUNCTION app.prune_notifications(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.prune_notifications(int) TO :"runtime";
