-- Part of a flagged charge that has paid no invoice and was not refunded. Refunds that the platform makes of payments
-- do not reduce it. Refunds by others and disputes are first deducted from this part, then from the payments.
CREATE OR REPLACE FUNCTION app.uncredited_of_capture(p_organization uuid, p_capture uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT greatest(0, c.amount_cents - c.refunded_cents - coalesce((
     SELECT sum(k.amount_cents)::bigint FROM payment_records k WHERE k.organization_id = c.organization_id
        AND k.processor_id = c.processor_id AND k.intent_id = c.intent_id AND k.status = 'succeeded'), 0) + coalesce((
     SELECT sum(o.amount_cents)::bigint FROM refunds o WHERE o.organization_id = c.organization_id
        AND o.capture_id = c.id AND o.status = 'succeeded'), 0))
    FROM processor_captures c WHERE c.organization_id = p_organization AND c.id = p_capture $$;
