-- Marks the requested action of notifications as done once their invoice is paid or void, no matter which code paid or
-- voided it.
CREATE OR REPLACE FUNCTION app.resolve_settled_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM app.resolve_notifications(settled.organization_id, 'invoice', settled.ids)
     FROM (SELECT n.organization_id, array_agg(n.id) AS ids FROM changed n JOIN before o ON o.id = n.id
            WHERE n.status IN ('paid', 'void') AND o.status <> n.status GROUP BY n.organization_id) settled;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER invoices_resolve_settled AFTER UPDATE ON chapter_invoices
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.resolve_settled_invoices();
