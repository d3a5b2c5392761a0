/** How moderation rules are compared with texts: which disguises they see through, and how long that takes. */
import { compileRules, type RulePattern } from '../../../models/forums/moderation-rules/compileRules.js';
import { problemOfPattern } from '../../../models/forums/moderation-rules/patterns.js';
import { renderMarkdown } from '../../../models/markdown.js';
import { processorTime } from '../../support/processorTime.js';

const keyword = (pattern: string): RulePattern => ({ kind: 'keyword', pattern });
const link = (pattern: string): RulePattern => ({ kind: 'link', pattern });
const matches = (rule: RulePattern, body: string, more: { title?: string; fileNames?: string[] } = {}): boolean =>
  compileRules([rule])({ body, html: renderMarkdown(body), ...more }).length > 0;

describe('a keyword matches', () => {
  test.each([
    ['spam', 'Buy SPAM now'],
    ['SPAM', 'spam'],
    ['spam', 'This is spam.'],
    ['spam', '“spam”'],
    ['spam', 'spam\u{1f600}spam'],
    ['spam', 'ｓｐａｍ'],
    ['spam', '𝐬𝐩𝐚𝐦 and 𝓼𝓹𝓪𝓶'],
    ['spam', 'ⓢⓟⓐⓜ'],
    ['office', 'o\ufb03ce'],
    ['spam', 'sp\u200bam'],
    ['spam', 's\u00adp\u2060a\ufeffm'],
    ['spam', 's\u034fp\ufe0fa\u{e0061}m'],
    ['spam', 's\u202ep\u2066a\u115fm'],
    ['spam', 'ѕраm'],
    ['spam', 'ЅРАМ'],
    ['hotel', 'ΗΟΤΕL'],
    ['nova', 'ΝΟνα'],
    ['nun', 'ηυη'],
    ['spam', 's\u0336p\u0336a\u0336m\u0336'],
    ['café', 'cafe\u0301'],
    ['спам', 'СПАМ'],
    ['ήλιος', 'ΉΛΙΟΣ'],
    ['हिन्दी', 'यह हिन्दी है'],
    ['spam', 's**pa**m'],
    ['spam', 'sp&#97;m and sp&Aacute;m'],
    ['spam', 's[pa](https://example.org)m'],
    ['spam', '`sp`am'],
    ['f@ck', 'f@ck'],
    ['free money', 'Free  money!'],
    ['free money', 'free\nmoney'],
    ['free money', 'free-money'],
    ['free money', 'free free money'],
    ['free money', '- free\n- money'],
    ['sp*m', 'spaaam'],
    ['sp*m', 'spm'],
    ['spam*', 'spammer'],
    ['*spam*', 'antispammer'],
    ['s*p*m', 'stop-gap stampm'],
    ['fr*e mon*', 'fryee monies'],
    ['mon*y*', 'mony'],
    ['bye bye', 'Bye bye!'],
    ['buy b*', 'buy buy'],
    ['spam', '[x](https://example.org/&#115;pam)'],
    ['spam', '[x](https://example.org/%73pam?%ff)'],
  ])('%s in %j', (pattern, body) => expect(matches(keyword(pattern), body)).toBe(true));

  test('a title, a file name, and the target of a link', () => {
    expect(matches(keyword('spam'), 'x', { title: 'SPAM' })).toBe(true);
    expect(matches(keyword('spam'), 'x', { fileNames: ['a.txt', 'spam.pdf'] })).toBe(true);
    expect(matches(keyword('spam'), '[x](https://example.org/spam/)')).toBe(true);
  });
});

describe('a keyword does not match', () => {
  test.each([
    ['spam', 'spamming'],
    ['spam', 'antispam'],
    ['spam', 'spam1'],
    ['spam', 'späm'],
    ['spam', 's p a m'],
    ['cafe', 'café'],
    ['free money', 'free your money'],
    ['free money', 'money free'],
    ['bye bye', 'bye'],
    ['sp*m', 'sp am'],
    ['s*s', 's'],
    ['*aa*aa*', 'aaa'],
    ['a b', 'a'],
  ])('%s in %j', (pattern, body) => expect(matches(keyword(pattern), body)).toBe(false));
});

describe('a domain matches', () => {
  test.each([
    ['evil.com', 'https://evil.com/a?b#c'],
    ['evil.com', '<https://a.b.EVIL.com:8080>'],
    ['evil.com', '[click](http://www.evil.com)'],
    ['evil.com', '![x](http://evil.com/a.png)'],
    ['evil.com', 'see evil.com.'],
    ['evil.com', '_evil.com_ (evil.com)'],
    ['evil.com', 'ev**il**.com'],
    ['evil.com', 'evil\\.com'],
    ['evil.com', 'ev\u00adil.com'],
    ['evil.com', 'еvil.соm'],
    ['evil.com', 'evil。com ｅｖｉｌ．com'],
    ['evil.com', '[x](http://ev%69l.com)'],
    ['evil.com', '[x](https://user:pw@evil.com)'],
    ['evil.com', '[x](mailto:me@mail.evil.com)'],
    ['evil.com', '[x](mailto:me@ev%69l.com?subject=%ff)'],
    ['evil.com', '[x](https://example.org/?to=https%3A%2F%2Fevil.com)'],
    ['evil.com', '[x](http://evil.com./)'],
    ['evil.com', '[x](http://xn--vil-qdd.com)'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'https://www.Bücher.example/'],
  ])('%s in %j', (pattern, body) => expect(matches(link(pattern), body)).toBe(true));
});

describe('a domain does not match', () => {
  test.each([
    ['evil.com', 'https://notevil.com'],
    ['evil.com', 'https://evil.com.example.org'],
    ['evil.com', 'evil com'],
    ['www.evil.com', 'https://evil.com'],
  ])('%s in %j', (pattern, body) => expect(matches(link(pattern), body)).toBe(false));
});

test.each([
  ['keyword', 'free money', true],
  ['keyword', '*', false],
  ['keyword', 'free *', false],
  ['keyword', 'c++', false],
  ['keyword', '...', false],
  ['keyword', 'a b c d e f g h i j k', false],
  ['keyword', 'a*b*c*d*e*f*g', false],
  ['keyword', '\u200b', false],
  ['link', 'example.com', true],
  ['link', 'Bücher.example', true],
  ['link', 'example', false],
  ['link', 'https://example.com', false],
  ['link', 'example.com/path', false],
  ['link', '*.example.com', false],
] as const)('as a %s rule %j is valid: %s', (kind, pattern, isValid) =>
  expect(problemOfPattern(kind, pattern) === null).toBe(isValid),
);

/** Texts of the maximum length that make careless comparison slow. */
const HOSTILE: Record<string, string> = {
  'one long word': 'a'.repeat(20_000),
  'one long word with an end': `${'ab'.repeat(9_999)}c`,
  'many short words': Array.from({ length: 5_000 }, (_, n) => `a${n.toString(36)}`)
    .join(' ')
    .slice(0, 20_000),
  'the same word': 'a '.repeat(10_000),
  labels: 'a.'.repeat(10_000),
  dots: `a${'.'.repeat(19_998)}a`,
  marks: `a${'\u0301'.repeat(9_000)}${'\u0323'.repeat(9_000)}`,
  'text that grows': '\ufdfa'.repeat(20_000),
  tags: '<a href="'.repeat(2_000),
  links: '[a](http://a.b) '.repeat(1_200),
};

test('500 rules are compared with hostile texts of 20,000 characters in bounded time', async () => {
  const kinds = [
    (n: number) => keyword(`a${n}b*`),
    (n: number) => keyword(`*a${'a'.repeat(n % 150)}b*`),
    (n: number) => keyword('a a a a a a a a a '.concat(String(n))),
    (n: number) => keyword(`word${n}`),
    (n: number) => link(`a.a${n}.a`),
  ];
  const match = compileRules(Array.from({ length: 500 }, (_, n) => kinds[n % kinds.length]?.(n) as RulePattern));
  for (const [name, body] of Object.entries(HOSTILE)) {
    const html = `<p>${body.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</p>`;
    const milliseconds = await processorTime(async () => match({ title: 'a', body, html }), 2);
    expect({ name, isFast: milliseconds < 400 }).toEqual({ name, isFast: true });
  }
});
