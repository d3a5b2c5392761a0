/** Renders members' Markdown to HTML when it is saved, so that clients can show it without cleaning it. */
import type MarkdownIt from 'markdown-it';
import { LINK_SCHEMES, MAX_NESTING_DEPTH, sanitize } from './richText.js';

/** `rel` of links in members' texts: search engines give them no weight (https://html.spec.whatwg.org/#link-type-ugc). */
const MEMBER_REL = 'nofollow ugc noopener';

const ALLOWED_LINK = new RegExp(`^(${LINK_SCHEMES.join('|')}):`, 'i');

type Renderer = InstanceType<typeof MarkdownIt>;
type State = InstanceType<Renderer['core']['State']>;

/** Replaces each image by a link to it, because an image reveals to its server who reads the text. */
function linkImages({ tokens, Token, md, env }: State): void {
  for (const block of tokens) {
    let linkDepth = 0;
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open') linkDepth += 1;
      if (token.type === 'link_close') linkDepth -= 1;
      if (token.type !== 'image') return token;
      const address = String(token.attrGet('src'));
      const text = new Token('text', '', 0);
      text.content = md.renderer.renderInlineAsText(token.children ?? [], md.options, env) || address;
      // HTML has no links in links.
      if (linkDepth > 0) return text;
      const link = new Token('link_open', 'a', 1);
      link.attrSet('href', address);
      return [link, text, new Token('link_close', 'a', -1)];
    });
  }
}

/** Gives headings the allowed levels, 2 to 4. */
function limitHeadings({ tokens }: State): void {
  for (const token of tokens)
    if (/^h\d$/.test(token.tag)) token.tag = `h${Math.min(Math.max(Number(token.tag[1]), 2), 4)}`;
}

let renderer: Renderer | undefined;

/** Loads the library when the first text is rendered, as `models/richText.ts` does. */
function library(): Renderer {
  if (renderer !== undefined) return renderer;
  const Library = require('markdown-it') as typeof MarkdownIt;
  renderer = new Library({ html: false, maxNesting: MAX_NESTING_DEPTH }).disable(['table', 'reference']);
  // A link to another address stays as it was typed.
  renderer.validateLink = (url) => ALLOWED_LINK.test(url);
  renderer.core.ruler.push('link_images', linkImages);
  renderer.core.ruler.push('limit_headings', limitHeadings);
  return renderer;
}

/**
 * Renders Markdown (CommonMark without HTML and reference definitions) to sanitized HTML. Blocks that are nested deeper
 * than 20 levels are left out. For plain text, pass the result to `plainTextOf`.
 */
export const renderMarkdown = (source: string): string => sanitize(library().render(source), MEMBER_REL);

/** Returns the text of Markdown outside of code, quotes and links, line by line. */
export function proseOf(source: string): string {
  let quoteDepth = 0;
  const lines: string[] = [];
  for (const { type, children } of library().parse(source, {})) {
    if (type === 'blockquote_open') quoteDepth += 1;
    if (type === 'blockquote_close') quoteDepth -= 1;
    if (type === 'inline' && quoteDepth === 0) lines.push(textOutsideLinks(children ?? []));
  }
  return lines.join('\n');
}

/** Stands for a part that is left out, so that the text before it and the text after it stay apart. */
const LEFT_OUT = '\uFFFC';

function textOutsideLinks(tokens: State['tokens']): string {
  let linkDepth = 0;
  let text = '';
  for (const { type, content } of tokens) {
    if (type === 'link_open') linkDepth += 1;
    if (type === 'link_close') linkDepth -= 1;
    if (type === 'link_close' || type === 'code_inline') text += LEFT_OUT;
    if (type.endsWith('break')) text += '\n';
    if (type === 'text' && linkDepth === 0) text += content;
  }
  return text;
}

/** Time after a text in which no other is rendered, as a multiple of the time that the text took. */
const REST = 2;
/** The rest after texts that take less is not worth a timer. */
const SHORT_MS = 1;
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Renders a text as `renderMarkdown`, after the texts of other requests and a rest. A hostile text of 20,000 characters
 * takes up to 25 ms, in which the process answers no other request. The rests leave most of the time to other requests.
 */
export async function renderMarkdownInTurn(source: string): Promise<string> {
  const earlier = lastTurn;
  let endTurn = (): void => undefined;
  lastTurn = new Promise((resolve) => (endTurn = resolve));
  await earlier;
  const start = performance.now();
  try {
    return renderMarkdown(source);
  } finally {
    const tookMs = performance.now() - start;
    if (tookMs < SHORT_MS) endTurn();
    else setTimeout(endTurn, REST * tookMs);
  }
}
