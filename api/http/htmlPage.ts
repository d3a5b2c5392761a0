/** HTML pages that are rendered on the server and complete without JavaScript. */
import { Answer } from './routes.js';

/** No scripts run, nothing is loaded, and a form can be sent only to this origin. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** Escapes text for HTML, also within attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Answers with a page. Search engines do not index it.
 * @param title text, shown as heading too @param body HTML: escape each text in it
 */
export const htmlPage = (title: string, body: string, status = 200): Answer<void> =>
  new Answer(undefined, {
    status,
    headers: HEADERS,
    text: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>body { font: 16px/1.5 sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere } button { font: inherit } dt { font-weight: bold } dd { margin: 0 0 .5rem }</style>
</head><body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`,
  });
