-- Facts as a phone may show them to whoever looks at it: those that tell an amount of money (app.money_text) tell none.
CREATE OR REPLACE FUNCTION app.without_amounts(p_facts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE
      WHEN value IS NULL OR value !~ '[0-9] [A-Z]{3}\y' THEN value
      -- part of a sentence that does without it
      WHEN value LIKE ' %' THEN ''
      ELSE 'An amount' END), '{}')
    FROM jsonb_each_text(p_facts) $$;
