-- Whether a member in this status may hold a chapter office. Alumni chapters are led by active and lifetime alumni.
CREATE OR REPLACE FUNCTION app.in_active_standing(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN ('undergrad','associate','active_alumni','lifetime_alumni') $$;
