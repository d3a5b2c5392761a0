-- Builds a fact for an amount of money: the text with the amount, and the text that replaces it where amounts are
-- hidden. Facts contain amounts only in this form, so that hiding them needs no search in texts.
CREATE OR REPLACE FUNCTION app.money_fact(
  p_minor bigint, p_currency text, p_before text DEFAULT '', p_after text DEFAULT '', p_without text DEFAULT ''
) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT jsonb_build_object('text', p_before || app.money_text(p_minor, p_currency) || p_after, 'without_amount', p_without) $$;
