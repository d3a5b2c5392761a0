-- Updates plans and plan requests after their invoices changed. Completes a plan when its amount is paid, ends it when
-- the invoice is void, moves the invoice's due date to the first unmet installment, and closes requests for invoices
-- that owe nothing. SECURITY DEFINER: no role may write a due date.
CREATE OR REPLACE FUNCTION app.follow_plans(ids uuid[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE lapsed record;
BEGIN
  UPDATE payment_plans p SET ended_at = now(),
         status = CASE i.status WHEN 'void' THEN 'cancelled' ELSE 'completed' END,
         cancel_reason = CASE i.status WHEN 'void' THEN coalesce(i.void_reason, 'The invoice is void.') END
    FROM chapter_invoices i
   WHERE i.organization_id = p.organization_id AND i.id = p.invoice_id AND i.id = ANY (ids) AND i.balance_due_cents = 0
     AND p.status = 'active';
  -- The workflow that follows the freeze of the plan request sends the notification.
  FOR lapsed IN
    UPDATE payment_plan_requests r SET status = 'lapsed', closed_at = now()
      FROM chapter_invoices i
     WHERE i.organization_id = r.organization_id AND i.id = r.invoice_id AND i.id = ANY (ids) AND i.balance_due_cents = 0
       AND r.status = 'pending' RETURNING r.organization_id, r.id LOOP
    PERFORM app.enqueue('planFreeze', 'plan-freeze/' || lapsed.id,
      jsonb_build_object('organizationId', lapsed.organization_id, 'requestId', lapsed.id), 'changed');
  END LOOP;
  UPDATE chapter_invoices i SET due_date = d.due_date, original_due_date = coalesce(i.original_due_date, i.due_date),
         overdue_at = CASE WHEN d.due_date < app.local_day(o.timezone) THEN i.overdue_at END
    FROM (SELECT p.organization_id, p.invoice_id, app.first_unmet(p.organization_id, p.id) AS due_date FROM payment_plans p
           WHERE p.invoice_id = ANY (ids) AND p.status = 'active') d
    JOIN organizations o ON o.id = d.organization_id
   WHERE i.organization_id = d.organization_id AND i.id = d.invoice_id AND i.due_date <> d.due_date;
END $$;
REVOKE ALL ON FUNCTION app.follow_plans(uuid[]) FROM PUBLIC;
