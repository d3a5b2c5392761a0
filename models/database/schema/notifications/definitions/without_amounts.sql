-- Removes amounts of money from facts. An amount that the platform wrote (app.money_fact) is replaced by the text that
-- it contains for this purpose. Amounts in other texts, which people may have typed, are replaced by
-- app.hide_typed_amounts.
CREATE OR REPLACE FUNCTION app.without_amounts(p_facts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE jsonb_typeof(value)
      WHEN 'object' THEN value -> 'without_amount'
      WHEN 'string' THEN to_jsonb(app.hide_typed_amounts(value #>> '{}'))
      ELSE value END), '{}')
    FROM jsonb_each(p_facts) $$;
