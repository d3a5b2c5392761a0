/** Markdown of members after rendering, parsed as in a browser. */
import { parseFragment } from 'parse5';
import { renderMarkdown } from '../../models/markdown.js';
import { plainTextOf } from '../../models/richText.js';
import { depthOf, findForbidden, HOSTILE_HTML } from '../support/hostileHtml.js';

const TARGETS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'java&#x0A;script:alert(1)',
  'java\\script:alert(1)',
  '\\javascript:alert(1)',
  '&#1;javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '%6aavascript:alert(1)',
  'javascript%3Aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg/onload=alert(1)>',
  'blob:https://evil.example/x',
  'file:///etc/passwd',
  'ftp://evil.example/',
  '//evil.example/',
  '\\\\evil.example\\',
  '/api/auth/logout/',
  '?next=javascript:alert(1)',
  '#x',
  '<!---->//evil.example/',
  'x:javascript:alert(1)',
  'https://ok.example/"onclick="alert(1)',
  'https://ok.example/&quot; onclick=alert(1) x=&quot;',
  "https://ok.example/'><img/src/onerror=alert(1)>",
  'https://ok.example/`${alert(1)}`',
  'mailto:a@ok.example?body="><script>alert(1)</script>',
];

const PLACES = [
  (target: string) => `[x](${target})`,
  (target: string) => `[x](<${target}> "onmouseover=alert(1)")`,
  (target: string) => `[x](https://ok.example '"onclick=alert(1) ${target}')`,
  (target: string) => `![x](${target})`,
  (target: string) => `[![x](${target})](${target})`,
  (target: string) => `![[x](${target})](<${target}>)`,
  (target: string) => `<${target}>`,
  (target: string) => `[x]\n\n[x]: ${target} "y"`,
  (target: string) => `> 1. # [x](${target}) **[x](${target}**)`,
  (target: string) => `\`\`\`"onclick=alert(1) ${target}\n${target}\n\`\`\``,
];

const LINK = /^<a href="(https?:|mailto:)[^"<>\s]+" rel="nofollow ugc noopener" target="_blank">$/;

const HOSTILE_MARKDOWN = [
  ...HOSTILE_HTML.flatMap((html) => [
    html,
    `\n\n${html}\n\n`,
    `[${html}](https://ok.example)`,
    `![${html}](https://ok.example)`,
    `\`${html}`,
  ]),
  ...TARGETS.flatMap((target) => PLACES.map((place) => place(target))),
];

test('hostile Markdown leaves only allowed elements, attributes and links', () => {
  const offending = HOSTILE_MARKDOWN.filter((source) => {
    const html = renderMarkdown(source);
    const links = html.match(/<a\b[^>]*>/g) ?? [];
    return findForbidden(html).length > 0 || /<img/i.test(html) || !links.every((link) => LINK.test(link));
  });
  expect(offending).toEqual([]);
});

test('Markdown becomes HTML, and from it plain text', () => {
  const html = renderMarkdown(
    '# Rush\n\nWe meet *at noon*, see [us](https://example.org/?a=1&b=2).\n\n- a pen\n- `x < y`',
  );
  expect(html).toBe(
    '<h2>Rush</h2>\n<p>We meet <em>at noon</em>, see <a href="https://example.org/?a=1&amp;b=2" ' +
      'rel="nofollow ugc noopener" target="_blank">us</a>.</p>\n<ul>\n<li>a pen</li>\n<li><code>x &lt; y</code></li>\n</ul>',
  );
  expect(plainTextOf(html)).toBe('Rush\n\nWe meet at noon, see us (https://example.org/?a=1&b=2).\n\n- a pen\n- x < y');
});

test('an image becomes a link, and its text where it is in a link', () => {
  const link = (href: string, text: string) =>
    `<p><a href="${href}" rel="nofollow ugc noopener" target="_blank">${text}</a></p>`;
  expect(renderMarkdown('![the *house*](https://example.org/a.png "Title")')).toBe(
    link('https://example.org/a.png', 'the house'),
  );
  expect(renderMarkdown('![](https://example.org/a.png)')).toBe(
    link('https://example.org/a.png', 'https://example.org/a.png'),
  );
  expect(renderMarkdown('[![house](https://example.org/a.png)](https://example.org/)')).toBe(
    link('https://example.org/', 'house'),
  );
});

test.each([
  ['HTML', '<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
  ['a reference definition', '[x]: https://example.org', '<p>[x]: https://example.org</p>'],
  ['a table', 'a | b\n--|--\n1 | 2', '<p>a | b\n--|--\n1 | 2</p>'],
  ['a link to another scheme', '[x](ftp://example.org/)', '<p>[x](ftp://example.org/)</p>'],
])('%s stays as typed', (_, source, html) => expect(renderMarkdown(source)).toBe(html));

test.each(['> ', '- ', '1. ', '[', '![', '**a ', '~~a *b ', '[![a](b)](', '`', '<'])(
  '20,000 characters of %s nest at most 20 levels',
  (part) => {
    const html = renderMarkdown(part.repeat(Math.floor(20_000 / part.length)));
    expect(depthOf(parseFragment(html))).toBeLessThan(25);
  },
);
