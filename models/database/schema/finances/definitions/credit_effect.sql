-- Effect of an entry on its payer's credit, in cents: issued + moved in - applied - refunded - moved out; a reversal
-- undoes the entry that it names.
CREATE OR REPLACE FUNCTION app.credit_effect(entry chapter_account_credits) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE entry.kind WHEN 'issued' THEN entry.amount_cents WHEN 'moved_in' THEN entry.amount_cents WHEN 'shortfall' THEN 0
    WHEN 'reversed' THEN (SELECT CASE r.kind WHEN 'issued' THEN -entry.amount_cents ELSE entry.amount_cents END
      FROM chapter_account_credits r WHERE r.organization_id = entry.organization_id AND r.id = entry.reverses)
    ELSE -entry.amount_cents END $$;
