-- Moves everything of a regenerated invoice to its replacement: payments with their credit and refunds, refund
-- requests, and discounts. SECURITY DEFINER, because no role may move payments itself; the function moves them only
-- from a void invoice to its replacement. The caller holds the old invoice's lock.
CREATE OR REPLACE FUNCTION app.move_to_replacement(p_replacement uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  org uuid := app.org_id();
  replaced uuid := (SELECT o.id FROM chapter_invoices n
    JOIN chapter_invoices o ON o.organization_id = n.organization_id AND o.id = n.replaces
   WHERE n.organization_id = org AND n.id = p_replacement AND n.status <> 'void' AND o.status = 'void' AND o.term_id = n.term_id
     AND o.chapter_id = n.chapter_id AND o.membership_id IS NOT DISTINCT FROM n.membership_id);
  payments uuid[] := (SELECT array_agg(id) FROM payment_records WHERE organization_id = org AND invoice_id = replaced);
BEGIN
  IF replaced IS NULL THEN
    RAISE EXCEPTION 'invoice % does not replace another invoice', p_replacement
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoice_replacement';
  END IF;
  -- The credit entries move first. If the payments moved first, the replacement would count money that has become
  -- credit as paid.
  UPDATE chapter_account_credits SET invoice_id = p_replacement WHERE organization_id = org AND payment_record_id = ANY (payments);
  UPDATE invoice_discounts SET invoice_id = p_replacement
   WHERE organization_id = org AND invoice_id = replaced AND voided_at IS NULL;
  UPDATE payment_records SET invoice_id = p_replacement, charged_invoice_id = coalesce(charged_invoice_id, replaced)
   WHERE organization_id = org AND invoice_id = replaced;
  UPDATE refunds SET invoice_id = p_replacement WHERE organization_id = org AND payment_record_id = ANY (payments);
  UPDATE refund_requests SET invoice_id = p_replacement
   WHERE organization_id = org AND invoice_id = replaced AND status = 'pending';
  PERFORM app.recompute_invoices(ARRAY[replaced, p_replacement]);
END $$;
REVOKE ALL ON FUNCTION app.move_to_replacement(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.move_to_replacement(uuid) TO :"runtime";
