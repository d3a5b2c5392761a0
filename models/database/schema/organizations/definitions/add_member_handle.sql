-- Adds a person's handle in an organization, unless there is one: the name in plain letters (`ada.lovelace`), with a number
-- if another person has that handle. The number gets a digit more with each attempt, so that few attempts suffice
-- among thousands of people with one name.
CREATE OR REPLACE FUNCTION app.add_member_handle(p_organization uuid, p_user uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  base text;
  suffix text := '';
  attempt integer := 0;
BEGIN
  IF EXISTS (SELECT FROM member_handles WHERE organization_id = p_organization AND user_id = p_user) THEN RETURN; END IF;
  -- The first step removes accents, as the search key in models/organizations/search.ts does.
  SELECT translate(lower(regexp_replace(normalize(u.first_name || ' ' || u.last_name, NFKD), '[\u0300-\u036f]', '', 'g')),
                   'øłđı', 'oldi')
    INTO STRICT base FROM users u WHERE u.id = p_user;
  base := replace(replace(replace(base, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  base := btrim(left(btrim(regexp_replace(base, '[^a-z0-9]+', '.', 'g'), '.'), 24), '.');
  -- A name in another script leaves too few letters.
  IF length(base) < 3 THEN base := 'member'; END IF;
  LOOP
    INSERT INTO member_handles (organization_id, user_id, handle) VALUES (p_organization, p_user, base || suffix)
      ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
    attempt := attempt + 1;
    suffix := (hashtextextended(p_user::text, attempt) & 9223372036854775807) % (10 ^ least(attempt, 6))::bigint;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.add_member_handle(uuid, uuid) FROM PUBLIC;
