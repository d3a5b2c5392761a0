-- Days before a due date on which an organization reminds payers. Without a settings row, the default of the column.
CREATE OR REPLACE FUNCTION app.reminder_days_before(p_organization uuid) RETURNS integer[] LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT s.reminder_days_before FROM org_dues_settings s WHERE s.organization_id = p_organization), '{7,1}') $$;
