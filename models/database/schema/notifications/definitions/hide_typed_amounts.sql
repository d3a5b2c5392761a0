-- Replaces each amount of money in a text that a person typed by an ellipsis: a number beside a currency's symbol, ISO
-- 4217 code or name, or a number in a form that only amounts have ('1,250.00', '250,-'). Other numbers stay: times,
-- dates, years.
CREATE OR REPLACE FUNCTION app.hide_typed_amounts(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  gap constant text := '[\s\u00a0\u2009\u202f]';
  -- Digits with group separators or decimals: '1 250,00', '1.250,00', '1''250.00', '250'
  digits constant text := format('(?:\d{1,3}(?:%1$s\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,''’]\d+)*)', gap);
  -- numbers with decimals or digit groups, which are almost always amounts
  exact constant text := format('(?:\d{1,3}(?:[.,''’]|%1$s)\d{3}(?:(?:[.,''’]|%1$s)\d{3})*(?:[.,]\d{2})?|\d+[.,]\d{2})(?![.,]?\d)', gap);
  -- What may follow the digits: '250.–', '2.5k', '2 million'
  ending constant text := format('(?:[.,](?:--|[-–—]))?(?:%1$s?(?:k|m|mn|mio|bn|thousand|million|billion)\y)?', gap);
  number constant text := format('%2$s%3$s(?:%1$s?[-–—]%1$s?%2$s%3$s)?', gap, digits, ending);
  between constant text := format('%1$s*[:=]?%1$s*[-−+]?', gap);
  symbol constant text := '(?:[a-z]{0,3}[$¢£¤¥֏؋฿៛₠-⃏﷼﹩＄￠￡￥￦]|\y(?:kr|rs)\.?(?![a-z])|zł|kč|руб)';
  code constant text := '(?:usd|eur|gbp|chf|cad|aud|nzd|jpy|cny|sek|nok|dkk|isk|pln|czk|huf|bgn|uah|rub|kzt|ils|aed|qar|kwd|bhd|omr|jod'
    '|egp|tnd|dzd|ngn|kes|ghs|ugx|tzs|zar|zmw|bwp|xaf|xof|xpf|inr|pkr|lkr|bdt|mmk|khr|thb|vnd|idr|myr|sgd|hkd|twd|krw|mxn|brl|ars'
    '|clp|uyu|pyg|crc|gtq|hnl|jmd|ttd|bbd|bzd|xcd|kyd|bmd|mvr|scr|nad|etb|rwf|bif|mga|mwk|mzn|aoa|cdf|fjd|sbd|vuv|djf|gnf|kmf|iqd)';
  -- Currency codes that are also words or abbreviations. They count only in capitals, and only beside numbers like 250
  -- or 10.00, not beside 10 or 2026.
  ambiguous constant text := '(?:ALL|AMD|BAM|BOB|BSD|COP|CUP|DOP|GEL|LAK|MAD|MOP|MUR|NIO|NPR|PEN|PHP|RON|SAR|SOS|TOP|TRY)';
  large constant text := format('(?:%1$s|(?!(?:19|20)\d\d\y)\d{3,})', exact);
  name constant text := '(?:dollars?|euros?|cents?|bucks|quid|pounds?(?! of\y)|francs?|rupees?|pesos?|yen)';
BEGIN
  IF p_text !~ '\d' THEN RETURN p_text; END IF;
  p_text := regexp_replace(p_text, format('(?:%1$s|\y%2$s)%3$s%4$s', symbol, code, between, number), '…', 'gi');
  p_text := regexp_replace(p_text, format('(?<![\w])[-−]?%1$s%2$s?(?:%3$s|(?:%4$s|%5$s)\y)', number, gap, symbol, code, name), '…', 'gi');
  p_text := regexp_replace(p_text, format('\y%1$s%2$s%3$s|(?<![\w])%3$s%4$s?%1$s\y', ambiguous, between, large, gap), '…', 'g');
  RETURN regexp_replace(p_text, '(?<![\w.,:])(?:\d{1,3}(?:[.,''’]\d{3})+[.,]\d{2}|\d{3,}[.,]\d{2}|\d+(?:[.,](?:--|[–—])|,-))(?![\w]|[-.,:–—]?\d)', '…', 'g');
END $$;
