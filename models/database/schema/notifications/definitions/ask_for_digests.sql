-- Starts or signals the process that mails an organization's digests of one day (YYYY-MM-DD).
CREATE OR REPLACE FUNCTION app.ask_for_digests(p_organization uuid, p_day text) RETURNS void LANGUAGE sql AS $$
  SELECT app.enqueue_soon('notificationDigests', 'digests/' || p_organization || '/' || p_day,
    jsonb_build_object('organizationId', p_organization, 'day', p_day)) $$;
