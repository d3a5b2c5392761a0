-- A fact that names an amount of money: the text as mails and lists show it, and what takes its place where no amount is
-- shown. Facts hold amounts only in this form, so that no reader has to look for them in a text.
CREATE OR REPLACE FUNCTION app.money_fact(
  p_minor bigint, p_currency text, p_before text DEFAULT '', p_after text DEFAULT '', p_without text DEFAULT ''
) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT jsonb_build_object('text', p_before || app.money_text(p_minor, p_currency) || p_after, 'without_amount', p_without) $$;
