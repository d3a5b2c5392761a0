-- Fills `{names}` in a text from facts, in one pass: values of facts are not searched for names again, and control
-- characters are removed from them. An amount (app.money_fact) is filled in with its text. A longer text ends in an
-- ellipsis. Returns null without facts.
CREATE OR REPLACE FUNCTION app.fill_text(p_template text, p_facts jsonb, p_longest int) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN length(whole) > p_longest THEN left(whole, p_longest - 1) || '…' ELSE whole END FROM (
    SELECT btrim(string_agg(CASE WHEN found[1] ~ '^\{[a-z_]+\}$'
        THEN coalesce(regexp_replace(coalesce(p_facts -> fact ->> 'text', p_facts ->> fact), '[[:cntrl:]]+', ' ', 'g'), '')
        ELSE found[1] END, '' ORDER BY position)) AS whole
      FROM regexp_matches(p_template, '\{[a-z_]+\}|[^{]+|\{', 'g') WITH ORDINALITY AS part (found, position)
     CROSS JOIN LATERAL (SELECT btrim(found[1], '{}') AS fact) named) filled $$;
