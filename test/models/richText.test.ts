/** Hostile rich text after sanitizing, parsed as in a browser. */
import { parseFragment } from 'parse5';
import { richText, sanitize } from '../../models/richText.js';
import { depthOf, findForbidden, HOSTILE_HTML } from '../support/hostileHtml.js';

test.each(HOSTILE_HTML)('sanitizing %s leaves nothing executable', (hostile) => {
  for (const given of [hostile, `<p>before ${hostile} after</p>`, `<table><tr><td>${hostile}`]) {
    const sanitized = sanitize(given);
    expect([sanitized, findForbidden(sanitized)]).toEqual([sanitized, []]);
    // Sanitized again, it stays the same.
    expect(findForbidden(sanitize(sanitized))).toEqual([]);
  }
});

test('allowed rich text is unchanged', () => {
  const html =
    '<h2>Rush</h2><p>We meet <strong>at noon</strong> &amp; <em>later</em>.<br />Bring:</p><ul><li>a pen</li></ul>' +
    '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>';
  expect(richText.parse(html)).toBe(html);
  expect(richText.parse('<a href="https://example.org/?a=1&amp;b=2">us</a>')).toBe(
    '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">us</a>',
  );
});

test.each([
  ['too long', 'x'.repeat(102_401)],
  ['too long in bytes', 'é'.repeat(51_201)],
  ['too long once it is safe', '&'.repeat(30_000)],
  ['nothing that is shown', '<script>alert(1)</script>'],
  ['no text', 'a\0b'],
])('%s is refused', (_, html) => expect(richText.safeParse(html).success).toBe(false));

test.each(['<b>', '<a href="', '<!--', '<p><table>', '&', '<x y="'])(
  'a hundred kB of %s leave no deep nesting',
  (part) => {
    const sanitized = sanitize(part.repeat(Math.floor(102_400 / part.length)));
    expect(depthOf(parseFragment(sanitized))).toBeLessThan(50);
  },
);

test.each([
  ['<a>Read on</a>', 'Read on'],
  ['<a name="top">Read <b>on</b></a>', 'Read <b>on</b>'],
  ['<a href="javascript:alert(1)">Read on</a>', 'Read on'],
  ['<a href="java&#10;script:alert(1)">Read on</a>', 'Read on'],
  ['<a href="//evil.example/">Read on</a>', 'Read on'],
  ['<a href="">Read on</a>', 'Read on'],
  ['<a href="<!-- -->//evil.example/">Read on</a>', 'Read on'],
  ['<a href="/<!-- -->/evil.example/">Read on</a>', 'Read on'],
])('the link without a target in %s keeps its text', (html, sanitized) => {
  expect(sanitize(html)).toBe(sanitized);
});

test('an element behind a link without a target is closed', () => {
  expect(sanitize('<a href="//evil.example/">a</a><b>b</b><span>c</span> &lt;span&gt;')).toBe(
    'a<b>b</b>c &lt;span&gt;',
  );
});

test('a link with a target stays a link', () => {
  expect(sanitize('<a href="https://example.org/a?b=c:d">Read on</a>')).toBe(
    '<a href="https://example.org/a?b=c:d" rel="noopener noreferrer nofollow" target="_blank">Read on</a>',
  );
  expect(sanitize('<a href="/news/">Read on</a>')).toContain('href="/news/"');
});
