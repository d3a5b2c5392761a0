-- A payer's credit that is reserved for refunds in flight, in cents. If credit moved to another membership, its refund
-- names the invoice that the credit came from, and credit_membership_id names the membership that holds it now.
CREATE OR REPLACE FUNCTION app.credit_reserved(p_organization uuid, p_chapter uuid, p_membership uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(r.amount_cents), 0)::bigint
    FROM (SELECT r.amount_cents
            FROM refunds r JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
           WHERE r.organization_id = p_organization AND r.of_credit AND r.finished_at IS NULL AND r.credit_membership_id IS NULL
             AND i.chapter_id = p_chapter AND i.membership_id IS NOT DISTINCT FROM p_membership
          UNION ALL
          SELECT r.amount_cents FROM refunds r
           WHERE r.organization_id = p_organization AND r.finished_at IS NULL AND r.credit_membership_id = p_membership) r $$;
