-- Updates plans and plan requests whenever an invoice's amount due changes. SECURITY DEFINER, like the functions it
-- calls.
CREATE OR REPLACE FUNCTION app.plans_after_change() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE ids uuid[];
BEGIN
  SELECT array_agg(n.id) INTO ids FROM changed n JOIN was o ON o.id = n.id
   WHERE (n.balance_due_cents, n.status) IS DISTINCT FROM (o.balance_due_cents, o.status)
     AND (EXISTS (SELECT FROM payment_plans p WHERE p.organization_id = n.organization_id AND p.invoice_id = n.id AND p.status = 'active')
       OR EXISTS (SELECT FROM payment_plan_requests r
                   WHERE r.organization_id = n.organization_id AND r.invoice_id = n.id AND r.status = 'pending'));
  IF ids IS NOT NULL THEN PERFORM app.follow_plans(ids); END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.plans_after_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER invoices_follow_plans AFTER UPDATE ON chapter_invoices
  REFERENCING OLD TABLE AS was NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.plans_after_change();
