-- Tax year whose annual receipts the Schedule issues on a day: from 15 January, that of last year; before, none.
CREATE OR REPLACE FUNCTION app.annual_receipt_year(p_day date) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN to_char(p_day, 'MMDD') >= '0115' THEN extract(year FROM p_day)::int - 1 END $$;
