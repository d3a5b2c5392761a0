/** HTML pages that are rendered on the server and complete without JavaScript. */
import { createHash } from 'node:crypto';
import { Answer } from './routes.js';

/** Colours of the system keep text readable in light and dark mode. Nothing is wider than a screen of 320 px. */
const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
dt, .label { font-weight: bold } dd { margin: 0 0 .5rem }
img { max-width: 100%; height: auto }
table { table-layout: fixed; width: 100% } pre { white-space: pre-wrap }
button, input, textarea { font: inherit; max-width: 100%; box-sizing: border-box }
button { padding: .6rem 1rem; min-height: 2.75rem }
fieldset { min-width: 0; margin: 0 0 1rem; padding: .5rem 1rem }
.field { margin: 0 0 1rem } .label, .hint, .error { display: block }
.field input[type=text], .field input[type=email], .field input[type=tel], textarea { width: 100%; padding: .5rem }
.choice { display: block; padding: .4rem 0 } .choice input { width: 1.25rem; height: 1.25rem; vertical-align: middle }
.error, .problem { color: #b00020; color: light-dark(#b00020, #ffb4ab) }
.problem, .notice { border: 2px solid; padding: .5rem 1rem; margin: 0 0 1rem } .problem a { color: inherit }
[aria-invalid=true] { outline: 2px solid #d32f2f }`;

/** No scripts run, nothing is loaded, and a form can be sent only to this origin. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** Escapes text for HTML, also within attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface PageOptions {
  /** Whether the page shows pictures, which it then loads from this origin. */
  hasImages?: boolean;
  /** Status of the response. Absent: the status of the route, or of the refusal that the page is about. */
  status?: number;
  /** The heading of the page. Absent: the title. */
  heading?: string;
  /** Where the browser goes by itself, and after how many seconds. */
  leadsTo?: { url: string; seconds: number };
  headers?: Record<string, string>;
}

/**
 * Header of a page whose form is accepted from this origin only: without referrers, browsers would send the form with
 * `Origin: null`.
 */
export const SENDS_ORIGIN = { 'Referrer-Policy': 'same-origin' };

/**
 * Answers with a page. Search engines do not index it.
 * @param title text @param body HTML: escape each text in it
 */
export function htmlPage(title: string, body: string, options: PageOptions = {}): Answer<void> {
  const { status, heading = title, leadsTo, headers, hasImages } = options;
  const refresh = leadsTo
    ? `<meta http-equiv="refresh" content="${leadsTo.seconds}; url=${escapeHtml(leadsTo.url)}">`
    : '';
  return new Answer(undefined, {
    ...(status !== undefined && { status }),
    headers: {
      ...HEADERS,
      ...(hasImages && { 'Content-Security-Policy': `${POLICY}; img-src 'self'` }),
      ...headers,
    },
    text: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${refresh}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head><body><main><h1>${escapeHtml(heading)}</h1>
${body}
</main></body></html>
`,
  });
}
