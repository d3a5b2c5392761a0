-- Formats an amount for people: minor units by the currency's exponent, which is not always 2 (ISO 4217).
CREATE OR REPLACE FUNCTION app.money_text(p_minor bigint, p_currency text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE digits
    WHEN 0 THEN to_char(p_minor, 'FM999,999,999,999,990')
    WHEN 3 THEN to_char(p_minor / 1000.0, 'FM999,999,999,990.000')
    ELSE to_char(p_minor / 100.0, 'FM999,999,999,990.00') END || ' ' || upper(p_currency)
  FROM (SELECT CASE
    WHEN p_currency IN ('bif','clp','djf','gnf','isk','jpy','kmf','krw','pyg','rwf','ugx','vnd','vuv','xaf','xof','xpf') THEN 0
    WHEN p_currency IN ('bhd','iqd','jod','kwd','lyd','omr','tnd') THEN 3 ELSE 2 END AS digits) currency $$;
