-- Payer of a payment reminder.
CREATE OR REPLACE FUNCTION app.reminder_payer(p_organization uuid, p_reminder uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT payer.user_id FROM payment_reminders r
   CROSS JOIN LATERAL app.payer_of(r.organization_id, r.chapter_id, r.membership_id) payer
   WHERE r.organization_id = p_organization AND r.id = p_reminder $$;
