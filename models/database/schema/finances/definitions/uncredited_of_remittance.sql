-- Amount of a remittance's oldest flagged charge that has paid no invoice; null without a flagged charge. Only one
-- charge is considered at a time, because each payment belongs to one charge. Part of the amount may have been credited
-- before a refund of the rest failed.
CREATE OR REPLACE FUNCTION app.uncredited_of_remittance(p_organization uuid, p_remittance uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT app.uncredited_of_capture(c.organization_id, c.id) FROM processor_captures c
   WHERE c.organization_id = p_organization AND c.remittance_id = p_remittance AND c.disposition = 'flagged'
   ORDER BY c.id LIMIT 1 $$;
