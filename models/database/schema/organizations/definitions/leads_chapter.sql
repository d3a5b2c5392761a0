-- Whether a membership makes its holder an officer of the chapter, presidents included (IsChapterOfficer). Permissions
-- and mail both use this definition.
CREATE OR REPLACE FUNCTION app.leads_chapter(role text, status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT role IN ('officer','president') AND app.in_active_standing(status) $$;
