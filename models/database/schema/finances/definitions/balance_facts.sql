-- Facts for notifications: the balance of an invoice, if the recipient sees amounts, and its due date where that has
-- moved.
CREATE OR REPLACE FUNCTION app.balance_facts(
  p_balance_due_cents bigint, p_currency text, p_due_date date, p_reopened_at timestamptz, p_sees_amounts boolean
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'left', CASE WHEN p_balance_due_cents = 0 THEN to_jsonb(' Nothing more is due.'::text)
      WHEN p_sees_amounts THEN app.money_fact(p_balance_due_cents, p_currency, ' ', ' is still due.') END,
    'moved', CASE WHEN p_balance_due_cents > 0 AND p_reopened_at IS NOT NULL
      THEN to_char(p_due_date, '" The new due date is "YYYY-MM-DD"."') END) $$;
