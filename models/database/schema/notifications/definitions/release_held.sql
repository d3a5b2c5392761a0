-- Somebody's quiet hours are others now: what they hold, in whatever organization, is decided anew, and until when it is held by
-- the new ones is said at once.
CREATE OR REPLACE FUNCTION app.release_held(p_user uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, app, pg_temp AS $$
DECLARE released record;
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
END $$;
REVOKE ALL ON FUNCTION app.release_held(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.release_held(uuid) TO :"runtime";
