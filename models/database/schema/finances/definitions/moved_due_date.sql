-- Due date of an invoice, unless that is the original one: payers are notified of each due date once.
CREATE OR REPLACE FUNCTION app.moved_due_date(p_original_due_date date, p_due_date date) RETURNS date
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_original_due_date IS NOT NULL THEN p_due_date END $$;
