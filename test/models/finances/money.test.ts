import { money, parseMoney } from '../../../models/finances/money.js';

test.each([
  ['50', 'usd', 5_000],
  ['50.', 'usd', 5_000],
  ['1,234.5', 'usd', 123_450],
  ['$50.05', 'usd', 5_005],
  ['50 USD', 'usd', 5_000],
  ['$50', 'cad', 5_000],
  ['CA$50', 'cad', 5_000],
  ['€ 0.01', 'eur', 1],
  ['5000', 'jpy', 5_000],
  ['1.250', 'kwd', 1_250],
])('%s in %s is an amount', (typed, currency, minorUnits) => {
  expect(parseMoney(typed, currency)).toBe(minorUnits);
  expect(parseMoney(money(minorUnits, currency), currency)).toBe(minorUnits);
});

test.each([
  ['', 'usd'],
  ['fifty', 'usd'],
  ['-5', 'usd'],
  ['5,5', 'usd'],
  ['1,23.00', 'usd'],
  ['5.001', 'usd'],
  ['5.5', 'jpy'],
  ['1e3', 'usd'],
  ['5$0', 'usd'],
  ['€50', 'usd'],
  ['90071992547409.93', 'usd'],
])('%s in %s is none', (typed, currency) => {
  expect(parseMoney(typed, currency)).toBeNull();
});
