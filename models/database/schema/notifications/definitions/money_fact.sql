-- A fact that names an amount of money: its text in mails and lists, and the replacement where amounts are hidden.
-- Facts hold amounts only in this form, so that readers need not search texts for them.
CREATE OR REPLACE FUNCTION app.money_fact(
  p_minor bigint, p_currency text, p_before text DEFAULT '', p_after text DEFAULT '', p_without text DEFAULT ''
) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT jsonb_build_object('text', p_before || app.money_text(p_minor, p_currency) || p_after, 'without_amount', p_without) $$;
