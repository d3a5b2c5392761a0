-- Uncredited amount of a remittance: of one flagged charge at a time, the oldest first, since each payment belongs to
-- one charge. A part of it may have been credited before a refund of the rest failed. Null without a flagged charge.
CREATE OR REPLACE FUNCTION app.uncredited_of_remittance(p_organization uuid, p_remittance uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT app.uncredited_of_capture(c.organization_id, c.id) FROM processor_captures c
   WHERE c.organization_id = p_organization AND c.remittance_id = p_remittance AND c.disposition = 'flagged'
   ORDER BY c.id LIMIT 1 $$;
