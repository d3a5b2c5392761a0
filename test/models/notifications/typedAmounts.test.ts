/** Amounts that people typed are replaced in texts that phones show; other numbers stay. */
import '../../../models/wireAreas.js';
import { allTypes } from '../../../models/notifications/types.js';
import { asOwner, closeOwner } from '../../support/owner.js';

afterAll(closeOwner);

const hidden = async (text: string): Promise<string> => {
  const [row] = await asOwner<{ text: string }>('SELECT app.hide_typed_amounts($1) AS text', [text]);
  return (row as { text: string }).text;
};

test.each([
  '$250.00',
  '$250',
  '$ 250',
  '-$250',
  '$1,250.00',
  '$2.5k',
  '$2 million',
  '$250–$300',
  '$250-300',
  'US$ 250',
  'CA$250',
  '250$',
  '250,00 EUR',
  '250 EUR',
  '250EUR',
  'EUR 250',
  'EUR250',
  'EUR: 250',
  'eur 250',
  '250 usd',
  'USD 250',
  '250-300 USD',
  '€250',
  '250 €',
  '250€',
  '1.250,00 €',
  '1 250,00 €',
  '1\u00a0250,00\u00a0€',
  "CHF 1'250.00",
  'CHF 250.–',
  '250,-',
  '£9.99',
  '¥3000',
  '₹1,00,000',
  'R$ 250,00',
  'kr 250',
  '250 kr.',
  'Rs. 500',
  '250 zł',
  '250 dollars',
  '1 Euro',
  '250 bucks',
  '99 cents',
  'TRY 250',
  'PHP 250.00',
  'TOP 10.00',
  '250.00',
  '1,250.00',
  '1.250,00',
])('the amount %s in a typed text is hidden', async (amount) => {
  for (const [before, after] of [
    ['', ''],
    ['Fall dues ', ''],
    ['Fall dues (', ') of 2026'],
    ['Pay ', ', please.'],
    ['“', '”: for Bo’s chapter'],
  ] as const) {
    const text = await hidden(`${before}${amount}${after}`);
    expect(text.replace(/ of 2026$/, '')).not.toMatch(/\d/);
    expect([text.startsWith(before), text.endsWith(after)]).toEqual([true, true]);
  }
});

test.each([
  'The platform rests from 02:00 to 03:00 UTC.',
  'Doors open at 7 EST.',
  'See you in 2026 NYC',
  'NYC 2026',
  'Due on 2026-09-01.',
  'On 12.05.2026 at 7.30 pm, room 101',
  'instalment 2 of 3',
  'Fall 2026 dues',
  'TOP 10 of ALL 50 chapters',
  'Try 3 times; all 250 members did.',
  'PHP 8.3 workshop',
  'GPA 3.50, version 2.10.1',
  'We collected 500 pounds of food.',
  '1,250 members and 12 000 alumni',
  'Call 555-0123 or +1 202 555 0123',
  'IPv4 10.0.0.1, pages 10-12',
  'Bring $ and ideas, EUR or USD.',
  'Lambda 3k run, 5 m pool',
  'No numbers',
  '',
])('the typed text %j is unchanged', async (text) => {
  expect(await hidden(text)).toBe(text);
});

test('the facts of a type distinguish amounts of the platform from texts', async () => {
  const [row] = await asOwner<{ shown: string; phone: string }>(
    `SELECT app.fill_text(template, facts, 200) AS shown, app.fill_text(template, app.without_amounts(facts), 200) AS phone
       FROM (SELECT '{when}: {left}; {what}{amount}; {count}' AS template, jsonb_build_object('when', '7 EST',
               'left', app.money_fact(125000, 'jpy', p_without => 'An amount'), 'amount', app.money_fact(12345, 'usd', ' of ', '.'),
               'what', 'Fees "EUR 5"', 'count', 3, 'nothing', app.money_fact(NULL, 'usd')) AS facts) given`,
  );
  expect(row).toEqual({
    shown: '7 EST: 125,000 JPY; Fees "EUR 5" of 123.45 USD.; 3',
    phone: '7 EST: An amount; Fees "…"; 3',
  });
});

test('no notification type writes an amount as a text', () => {
  expect(allTypes().filter(({ facts }) => facts.includes('money_text'))).toEqual([]);
});
