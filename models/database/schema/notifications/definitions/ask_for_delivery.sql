-- Starts or signals the process that delivers an organization's notifications on one channel.
CREATE OR REPLACE FUNCTION app.ask_for_delivery(p_organization uuid, p_channel text) RETURNS void LANGUAGE sql AS $$
  SELECT app.enqueue_soon('notificationDelivery', 'delivery/' || p_organization || '/' || p_channel,
    jsonb_build_object('organizationId', p_organization, 'channel', p_channel)) $$;
