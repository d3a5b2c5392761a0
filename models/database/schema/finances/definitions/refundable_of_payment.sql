-- Refundable amount of a payment, in cents: what was neither refunded, nor reserved for a refund, nor turned into
-- credit.
CREATE OR REPLACE FUNCTION app.refundable_of_payment(p_organization uuid, p_payment uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT p.amount_cents - p.refunded_cents - greatest(0, app.credit_of_payment(p_organization, p_payment))
         - coalesce((SELECT sum(r.amount_cents)::bigint FROM refunds r
                      WHERE r.organization_id = p_organization AND r.payment_record_id = p_payment
                        AND NOT r.of_credit AND r.finished_at IS NULL), 0)
    FROM payment_records p WHERE p.organization_id = p_organization AND p.id = p_payment $$;
