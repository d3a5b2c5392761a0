/** Markdown of members after rendering, parsed as in a browser. */
import { parseFragment } from 'parse5';
import { renderMarkdown } from '../../models/markdown.js';
import { plainTextOf } from '../../models/richText.js';
import { depthOf, findForbidden } from '../support/hostileHtml.js';
import { HOSTILE_MARKDOWN } from '../support/hostileMarkdown.js';

const LINK = /^<a href="(https?:|mailto:)[^"<>\s]+" rel="nofollow ugc noopener" target="_blank">$/;

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
