-- Replaces placeholders like `{name}` in a text by facts, in one pass: placeholders inside the value of a fact are not
-- replaced. Control characters are removed from the values. An amount (app.money_fact) is replaced by its text. A text
-- that is too long is cut and ends in an ellipsis. Returns null if the facts are null.
CREATE OR REPLACE FUNCTION app.fill_text(p_template text, p_facts jsonb, p_longest int) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN length(whole) > p_longest THEN left(whole, p_longest - 1) || '…' ELSE whole END FROM (
    SELECT btrim(string_agg(CASE WHEN found[1] ~ '^\{[a-z_]+\}$'
        THEN coalesce(regexp_replace(coalesce(p_facts -> fact ->> 'text', p_facts ->> fact), '[[:cntrl:]]+', ' ', 'g'), '')
        ELSE found[1] END, '' ORDER BY position)) AS whole
      FROM regexp_matches(p_template, '\{[a-z_]+\}|[^{]+|\{', 'g') WITH ORDINALITY AS part (found, position)
     CROSS JOIN LATERAL (SELECT btrim(found[1], '{}') AS fact) named) filled $$;
