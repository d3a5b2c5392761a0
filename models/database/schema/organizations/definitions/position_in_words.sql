-- Position of an officer in words.
CREATE OR REPLACE FUNCTION app.position_in_words(p_position text, p_title text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_position = 'other' THEN coalesce(p_title, 'officer') ELSE replace(p_position, '_', ' ') END $$;
