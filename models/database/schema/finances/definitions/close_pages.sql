-- When the amount due of an invoice changes, marks its open hosted payment pages for closing and signals their
-- workflows.
CREATE OR REPLACE FUNCTION app.close_pages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  page record;
BEGIN
  FOR page IN
    UPDATE payment_attempts a SET closing_since = now(),
           closing_reason = CASE i.status WHEN 'void' THEN 'invoice_void' WHEN 'paid' THEN 'invoice_paid'
                            ELSE 'amount_changed' END
      FROM changed i
     WHERE a.organization_id = i.organization_id AND a.invoice_id = i.id AND a.status = 'pending'
       AND a.closing_since IS NULL AND a.amount_cents <> i.balance_due_cents
    RETURNING a.organization_id, a.id LOOP
    PERFORM app.enqueue('hostedPage', 'hosted-page/' || page.id,
      jsonb_build_object('organizationId', page.organization_id, 'attemptId', page.id), 'look');
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER invoices_close_pages AFTER UPDATE ON chapter_invoices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.close_pages();
