-- Facts of a remittance for a notification, if the recipient holds an office that gives access to it and the condition
-- of the notification type holds.
CREATE OR REPLACE FUNCTION app.remittance_facts(p_organization uuid, p_remittance uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', sees.office_of,
           'invoices', (SELECT count(*) FROM chapter_remittance_allocations a
                         WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id),
           'amount', CASE WHEN sees.amounts THEN app.money_fact(r.total_cents, r.currency, ' of ') END,
           'waiting', CASE WHEN sees.amounts THEN app.money_fact(r.reconciliation_amount_cents, r.currency, ' of ') END)
    FROM chapter_remittances r CROSS JOIN LATERAL app.sees_chapter(r.organization_id, r.chapter_id, p_recipient) sees
   CROSS JOIN LATERAL app.remittance_status(r.organization_id, r.id, r.settled_at, r.reconciliation_flagged_at, r.resolved_at) state
   WHERE r.organization_id = p_organization AND r.id = p_remittance AND sees.amounts IS NOT NULL
     AND CASE p_type
       WHEN 'remittance_settled' THEN r.settled_at IS NOT NULL
       WHEN 'remittance_failed' THEN r.settled_at IS NULL
       WHEN 'remittance_flagged' THEN state.status = 'needs_reconciliation' END $$;
