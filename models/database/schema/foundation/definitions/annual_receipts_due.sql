-- Donors without a valid annual receipt of the year, with the receipt that they are due. An erased donor has no name for
-- a new receipt. The digest covers the donor's
-- name and the kept amount of each gift.
CREATE OR REPLACE FUNCTION app.annual_receipts_due(p_organization uuid, p_year int)
  RETURNS TABLE (donor_id uuid, donor_name text, gift_count int, amount_cents bigint, currency text, digest text)
  LANGUAGE sql STABLE AS $$
  SELECT o.id, o.first_name || ' ' || o.last_name, count(*)::int, sum(g.charged_cents - g.returned_cents)::bigint,
         min(g.currency),
         encode(sha256(convert_to(json_build_array(o.first_name, o.last_name)::text || string_agg(
           g.donation_id || ':' || (g.charged_cents - g.returned_cents), ',' ORDER BY g.donation_id), 'UTF8')), 'hex')
    FROM app.annual_gifts(p_organization, p_year) g
    JOIN donors o ON o.organization_id = p_organization AND o.id = g.donor_id
   WHERE o.erased_at IS NULL AND NOT EXISTS (SELECT FROM tax_receipts r WHERE r.organization_id = p_organization AND r.donor_id = o.id
                        AND r.tax_year = p_year AND r.donation_id IS NULL AND r.status = 'valid')
   GROUP BY o.id $$;
