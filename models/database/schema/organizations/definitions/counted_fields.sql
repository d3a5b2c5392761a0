-- Completeness fields that count for a membership in its status, and whether each is present. No other code decides
-- when a field is present. p_fields: [{field, weight, statuses}]. Unknown fields are ignored.
CREATE OR REPLACE FUNCTION app.counted_fields(p_organization uuid, p_membership uuid, p_fields jsonb)
  RETURNS TABLE (nth bigint, field text, weight integer, is_present boolean) LANGUAGE sql STABLE AS $$
  SELECT f.nth, f.one ->> 'field', (f.one ->> 'weight')::integer, k.is_present
    FROM memberships m
    JOIN users u ON u.id = m.user_id
    LEFT JOIN member_profiles p ON p.organization_id = m.organization_id AND p.user_id = m.user_id
    CROSS JOIN jsonb_array_elements(p_fields) WITH ORDINALITY AS f (one, nth)
    CROSS JOIN LATERAL (SELECT CASE f.one ->> 'field'
      WHEN 'preferred_name' THEN p.preferred_name IS NOT NULL
      WHEN 'date_of_birth' THEN p.date_of_birth IS NOT NULL
      WHEN 'permanent_address' THEN num_nulls(p.permanent_address_line1, p.city, p.postal_code) = 0 AND p.id IS NOT NULL
      WHEN 'phone_number' THEN coalesce(btrim(u.phone_number), '') <> ''
      -- If the primary address has a row in user_emails, that row says whether it is verified. Without a row it counts
      -- as verified, unless another person has verified the address
      WHEN 'verified_email' THEN u.placeholder_in IS NULL AND coalesce(
        (SELECT e.is_verified FROM user_emails e WHERE e.user_id = u.id AND e.email = u.email),
        NOT EXISTS (SELECT FROM user_emails o WHERE o.email = u.email AND o.is_verified))
      WHEN 'joined_date' THEN m.joined_date IS NOT NULL
      WHEN 'graduation_year' THEN m.graduation_year IS NOT NULL
      WHEN 'graduation_season' THEN m.graduation_season IS NOT NULL
      WHEN 'pledge_class' THEN coalesce(btrim(m.pledge_class), '') <> ''
      WHEN 'line_number' THEN m.line_number IS NOT NULL
      WHEN 'crossing_semester' THEN coalesce(btrim(m.crossing_semester), '') <> ''
      WHEN 'crossing_date' THEN m.crossing_date IS NOT NULL
    END AS is_present) k
   WHERE m.organization_id = p_organization AND m.id = p_membership
     AND f.one -> 'statuses' ? m.status AND k.is_present IS NOT NULL $$;
