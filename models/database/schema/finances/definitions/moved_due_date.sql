-- Due date of an invoice if it has moved, or null if it is still the original one. Payers are notified of each due date
-- once.
CREATE OR REPLACE FUNCTION app.moved_due_date(p_original_due_date date, p_due_date date) RETURNS date
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_original_due_date IS NOT NULL THEN p_due_date END $$;
