-- A text with `{names}` filled in from facts, in one pass: what a fact says is never looked at for names again, and has no
-- control characters. An amount (app.money_fact) is filled in with its text. Longer texts end in an ellipsis. Without facts
-- there is no text.
CREATE OR REPLACE FUNCTION app.fill_text(p_template text, p_facts jsonb, p_longest int) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN length(whole) > p_longest THEN left(whole, p_longest - 1) || '…' ELSE whole END FROM (
    SELECT btrim(string_agg(CASE WHEN found[1] ~ '^\{[a-z_]+\}$'
        THEN coalesce(regexp_replace(coalesce(p_facts -> fact ->> 'text', p_facts ->> fact), '[[:cntrl:]]+', ' ', 'g'), '')
        ELSE found[1] END, '' ORDER BY position)) AS whole
      FROM regexp_matches(p_template, '\{[a-z_]+\}|[^{]+|\{', 'g') WITH ORDINALITY AS part (found, position)
     CROSS JOIN LATERAL (SELECT btrim(found[1], '{}') AS fact) named) filled $$;
