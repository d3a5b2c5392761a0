/** The layout of all HTML pages. */
import type { Answer } from './exchange.js';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1f36}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.4rem;text-align:left}
form{display:grid;gap:1rem;max-width:24rem}select,button{font:inherit;padding:.6rem}
[role=alert]{background:#fde8e8;border:1px solid #c00;padding:.6rem}`;

/** Returns a whole page. `body` is HTML. */
export function page(title: string, body: string, status = 200): Answer {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, body: html, headers };
}

/** Redirects the browser with a GET. */
export function redirect(location: string): Answer {
  return { status: 303, body: '', headers: { Location: location } };
}
