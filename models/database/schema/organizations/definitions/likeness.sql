-- How alike two names are, from 0 to 1: case, accents, punctuation and the order of words do not count. An apostrophe is
-- left out, a hyphen may join or part.
CREATE OR REPLACE FUNCTION app.likeness(p_one text, p_other text) RETURNS real LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(
           similarity(one.joined, other.joined),
           similarity(one.parted, other.parted),
           similarity(replace(one.joined, ' ', ''), replace(other.joined, ' ', '')))
    FROM (SELECT lower(regexp_replace(normalize(p_one, NFKD), '[\u0300-\u036f[:punct:]]', '', 'g')) AS joined,
                 lower(regexp_replace(regexp_replace(normalize(p_one, NFKD), '[\u0300-\u036f''’ʼ`.]', '', 'g'), '[[:punct:]]', ' ', 'g')) AS parted) one,
         (SELECT lower(regexp_replace(normalize(p_other, NFKD), '[\u0300-\u036f[:punct:]]', '', 'g')) AS joined,
                 lower(regexp_replace(regexp_replace(normalize(p_other, NFKD), '[\u0300-\u036f''’ʼ`.]', '', 'g'), '[[:punct:]]', ' ', 'g')) AS parted) other $$;
