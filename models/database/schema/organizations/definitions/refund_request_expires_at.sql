-- Time at which a pending refund request expires. The function belongs to this area because waiting_approvals uses it.
CREATE OR REPLACE FUNCTION app.refund_request_expires_at(p_created_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT p_created_at + interval '30 days' $$;
