/** Sanitizes rich text when it is saved, so that clients can show it without cleaning it. */
import type sanitizeHtml from 'sanitize-html';
import { z } from 'zod';

const MAX_BYTES = 100 * 1024;
/** Maximum nesting depth: deeper than real texts, but not so deep that rendering slows a browser down. */
export const MAX_NESTING_DEPTH = 20;

const TAGS = 'p br hr h2 h3 h4 blockquote pre ul ol li strong b em i u s sub sup code a table thead tbody tr th td';

export const LINK_SCHEMES = ['http', 'https', 'mailto'];

/**
 * Reports whether the library would keep the target of a link: it must have an allowed scheme or be a path on the same
 * site. Control characters and spaces are removed first, because browsers ignore them.
 */
function isAllowedTarget(href: string): boolean {
  const target = href.replaceAll(/[\p{Cc}\s]/gu, '');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(target) ?? [];
  if (scheme !== undefined) return LINK_SCHEMES.includes(scheme.toLowerCase());
  // A target with `<!--` is refused, because the library removes HTML comments before it reads a target.
  return target !== '' && !/^[\\/]{2}/.test(target) && !target.includes(':') && !target.includes('<!--');
}

/** `rel` of links in texts of an organization's officers. */
const OFFICIAL_REL = 'noopener noreferrer nofollow';

const sanitizerOptions = (rel: string): sanitizeHtml.IOptions => ({
  // Spans are removed by `sanitize`; see `transformTags`.
  allowedTags: [...TAGS.split(' '), 'span'],
  // No styles or classes are allowed, because they could cover the page, and no images, because they reveal to their
  // server who reads the text.
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: LINK_SCHEMES,
  allowProtocolRelative: false,
  nestingLimit: MAX_NESTING_DEPTH,
  transformTags: {
    // A link without an allowed target is turned into a span, which is removed afterwards. If the library dropped the
    // span, it would close the next element of the same depth as a span.
    a: (_tagName, { href }) =>
      href !== undefined && isAllowedTarget(href)
        ? { tagName: 'a', attribs: { href, rel, target: '_blank' } }
        : { tagName: 'span', attribs: {} },
  },
});

/**
 * Keeps the allowed tags. Of other elements only the text stays; scripts and styles are removed completely.
 * @param rel of each link
 */
export const sanitize = (html: string, rel: string = OFFICIAL_REL): string =>
  library()(html, sanitizerOptions(rel))
    .replaceAll(/<\/?span>/g, '')
    .trim();

/**
 * Loads the library when the first text is sanitized, because it is large. The load is synchronous because request
 * bodies are validated synchronously.
 */
const library = (): typeof sanitizeHtml => require('sanitize-html') as typeof sanitizeHtml;

const fitsMaxBytes = (html: string): boolean => Buffer.byteLength(html) <= MAX_BYTES;
const TOO_LONG = 'Must be 100 kB at most.';

/** Rich text from a client; it is stored as `sanitize` returns it. */
export const richText = z
  .string()
  .refine(fitsMaxBytes, { message: TOO_LONG, abort: true })
  .refine((html) => !html.includes('\0'), { message: 'Must be text.', abort: true })
  .transform((html) => sanitize(html))
  .pipe(z.string().min(1, 'Must contain text that is not removed by sanitizing.').refine(fitsMaxBytes, TOO_LONG))
  .meta({
    description: 'HTML. Tags and attributes that are not allowed are removed.',
    override: { type: 'string' },
  });

/** Elements that begin and end with an empty line in plain text. */
const BLOCKS = new Set('p h2 h3 h4 blockquote pre ul ol table hr'.split(' '));
/** Elements that begin a new line in plain text. */
const LINES = new Set('br li tr'.split(' '));
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] as string);

/**
 * Converts rich text to plain text. Links keep their target in brackets, list items begin with a hyphen.
 * @param html as `sanitize` returns it, in which `<` and `>` are parts of tags only
 */
export function plainTextOf(html: string): string {
  let text = '';
  let isPreformatted = false;
  const targets: { href: string; start: number }[] = [];
  for (const [piece, closing, tag = '', attributes = ''] of html.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g)) {
    if (tag === 'pre') isPreformatted = !closing;
    if (tag === '') text += decodeEntities(isPreformatted ? piece : piece.replaceAll(/\s+/g, ' '));
    else if (BLOCKS.has(tag)) text += '\n\n';
    else if (LINES.has(tag)) text += closing ? '' : tag === 'li' ? '\n- ' : '\n';
    else if (tag === 'td' || tag === 'th') text += closing ? ' ' : '';
    else if (tag === 'a' && !closing)
      targets.push({ href: decodeEntities(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''), start: text.length });
    else if (tag === 'a') {
      const { href = '', start = text.length } = targets.pop() ?? {};
      if (href !== '' && text.slice(start).trim() !== href) text += ` (${href})`;
    }
  }
  return text
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n (?=\S)/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Makes links that are paths of the site absolute, for HTML that is shown elsewhere, such as in a mail. */
export const withAbsoluteLinks = (html: string, siteUrl: string): string =>
  html.replaceAll(
    /(<a href=")(?![a-z][a-z0-9+.-]*:)\/?([^"]*")/gi,
    (_, before: string, rest: string) => `${before}${siteUrl}/${rest}`,
  );
