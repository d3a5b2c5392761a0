-- Similarity of two names, from 0 to 1, ignoring case, accents, punctuation and word order. Apostrophes are removed; a
-- hyphen may join or separate words.
CREATE OR REPLACE FUNCTION app.name_similarity(p_one text, p_other text) RETURNS real LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(
           similarity(one.joined, other.joined),
           similarity(one.parted, other.parted),
           similarity(replace(one.joined, ' ', ''), replace(other.joined, ' ', '')))
    FROM (SELECT lower(regexp_replace(normalize(p_one, NFKD), '[\u0300-\u036f[:punct:]]', '', 'g')) AS joined,
                 lower(regexp_replace(regexp_replace(normalize(p_one, NFKD), '[\u0300-\u036f''’ʼ`.]', '', 'g'), '[[:punct:]]', ' ', 'g')) AS parted) one,
         (SELECT lower(regexp_replace(normalize(p_other, NFKD), '[\u0300-\u036f[:punct:]]', '', 'g')) AS joined,
                 lower(regexp_replace(regexp_replace(normalize(p_other, NFKD), '[\u0300-\u036f''’ʼ`.]', '', 'g'), '[[:punct:]]', ' ', 'g')) AS parted) other $$;
