-- The definition of an officer of a chapter, presidents included (IsChapterOfficer): for rights and for mail.
CREATE OR REPLACE FUNCTION app.leads_chapter(role text, status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT role IN ('officer','president') AND app.in_active_standing(status) $$;
