/** Rich text that people write: what is kept of it when it is written, so that nobody has to clean it when it is shown. */
import type sanitizeHtml from 'sanitize-html';
import { z } from 'zod';

const MOST_BYTES = 100 * 1024;
/** Deeper than anybody writes, and not so deep that a reader's browser suffers. */
const DEEPEST = 20;

const TAGS = 'p br hr h2 h3 h4 blockquote pre ul ol li strong b em i u s sub sup code a table thead tbody tr th td';

const SCHEMES = ['http', 'https', 'mailto'];

/** Whether the library keeps a target: an allowed scheme, or a path of the same site. Browsers ignore control characters and spaces. */
function isTarget(href: string): boolean {
  const read = href.replaceAll(/[\p{Cc}\s]/gu, '');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(read) ?? [];
  if (scheme !== undefined) return SCHEMES.includes(scheme.toLowerCase());
  // The library leaves out comments before it reads a target, too.
  return read !== '' && !/^[\\/]{2}/.test(read) && !read.includes(':') && !read.includes('<!--');
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(' '),
  // Neither styles nor classes, which could cover the page, nor images, which tell their server who reads.
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
  nestingLimit: DEEPEST,
  transformTags: {
    // A link without a target is no link: an element that is not allowed leaves its text.
    a: (_tagName, { href }) =>
      href !== undefined && isTarget(href)
        ? { tagName: 'a', attribs: { href, rel: 'noopener noreferrer nofollow', target: '_blank' } }
        : { tagName: 'span', attribs: {} },
  },
};

/** Keeps what is on the list, and of everything else the words; of scripts and styles nothing. */
export const sanitize = (html: string): string => library()(html, OPTIONS).trim();

/** Loaded with the first text, since it is large; at once, since a body is checked without waiting. */
const library = (): typeof sanitizeHtml => require('sanitize-html') as typeof sanitizeHtml;

const bytesOf = (html: string): boolean => Buffer.byteLength(html) <= MOST_BYTES;
const TOO_LONG = 'Must be 100 kB at most.';

/** What a client may give: it is kept as `sanitize` leaves it. */
export const richText = z
  .string()
  .refine(bytesOf, { message: TOO_LONG, abort: true })
  .refine((html) => !html.includes('\0'), { message: 'Must be text.', abort: true })
  .transform(sanitize)
  .pipe(z.string().min(1, 'Says nothing that may be shown.').refine(bytesOf, TOO_LONG))
  .meta({
    description: 'HTML. What is not on the list of tags and attributes is left out.',
    override: { type: 'string' },
  });
