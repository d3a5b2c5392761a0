-- Called when a person changes their quiet hours: all of their notifications and digest mails that quiet hours delay
-- become due at once, in all organizations. The process that claims one of them decides whether the new quiet hours
-- delay it again. The delivery time that the person sees changes at once.
CREATE OR REPLACE FUNCTION app.release_held(p_user uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, app, pg_temp AS $$
DECLARE released record;
  digest record;
BEGIN
  FOR released IN
    WITH due AS (UPDATE notification_deliveries SET due_at = now()
      WHERE recipient_id = p_user AND outcome IS NULL AND held RETURNING organization_id, notification_id, channel),
    said AS (
      UPDATE notifications n SET scheduled_for = app.held_until(p_user, n.created_at)
        FROM due WHERE n.organization_id = due.organization_id AND n.id = due.notification_id)
    SELECT DISTINCT organization_id, channel FROM due ORDER BY 1, 2
  LOOP
    PERFORM app.ask_for_delivery(released.organization_id, released.channel);
  END LOOP;
  FOR digest IN
    WITH due AS (UPDATE notification_digests SET due_at = now(), held = false
      WHERE user_id = p_user AND held AND sent_at IS NULL AND unmailed_reason IS NULL
      RETURNING organization_id, to_char(period_end AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day)
    SELECT DISTINCT organization_id, day FROM due ORDER BY 1, 2
  LOOP
    PERFORM app.ask_for_digests(digest.organization_id, digest.day);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.release_held(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.release_held(uuid) TO :"runtime";
