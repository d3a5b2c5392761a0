/** The mail catcher's pages for people and JSON for tools. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { CaughtMail, CaughtMails } from './caughtMails.js';

/** Escapes text for HTML elements and quoted attributes. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1a1a1a }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #ddd }
td.time { white-space: nowrap; color: #555 } pre { white-space: pre-wrap; background: #f6f6f6; padding: 1rem }
iframe { width: 100%; height: 30rem; border: 1px solid #ddd }
</style></head><body><h1>${escape(title)}</h1>${body}</body></html>`;

function listPage(mails: CaughtMail[]): string {
  const rows = mails
    .toReversed()
    .map(
      ({ id, at, to, subject }) =>
        `<tr><td class="time">${escape(at.slice(0, 19).replace('T', ' '))}</td><td>${escape(to.join(', '))}</td>` +
        `<td><a href="/mails/${escape(id)}">${escape(subject) || '(no subject)'}</a></td></tr>`,
    );
  const table = `<table><tr><th>Time (UTC)</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
  return page(
    `Mailbox: ${mails.length} mails`,
    rows.length ? table : '<p>No mail yet. All mail of the platform appears here.</p>',
  );
}

function mailPage(mail: CaughtMail): string {
  const headers = Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}`);
  // The sandbox prevents scripts of a mail from running.
  const html = mail.html ? `<h2>HTML</h2><iframe sandbox title="HTML" srcdoc="${escape(mail.html)}"></iframe>` : '';
  const text = `<h2>Text</h2><pre>${escape(mail.text)}</pre>`;
  const all = `<h2>Headers</h2><pre>${escape(headers.join('\n'))}</pre>`;
  return page(mail.subject || '(no subject)', `<p><a href="/">All mails</a></p>${html}${text}${all}`);
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(body);
}

const json = (response: ServerResponse, status: number, value: unknown) =>
  answer(response, status, 'application/json', JSON.stringify(value));

function respond(mails: CaughtMails, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://mailbox');
  const [, folder = '', id = ''] = url.pathname.split('/');
  const to = url.searchParams.get('to') ?? undefined;
  if (request.method === 'DELETE' && folder === 'messages' && !id) {
    mails.clear();
    response.writeHead(204).end();
    return;
  }
  if (request.method !== 'GET') return json(response, 405, { detail: 'GET, or DELETE /messages.' });
  if (!folder) return answer(response, 200, 'text/html', listPage(mails.list(to)));
  if (folder === 'messages' && !id) return json(response, 200, mails.list(to));
  const mail = mails.find(id);
  if (folder === 'messages' && mail) return json(response, 200, mail);
  if (folder === 'mails' && mail) return answer(response, 200, 'text/html', mailPage(mail));
  json(response, 404, { detail: 'Not found. GET /messages lists all mails as JSON.' });
}

/** Serves the mails over HTTP: `/`, `/mails/<id>`, `/messages`, `/messages?to=…`, `/messages/<id>`. */
export function mailboxPages(mails: CaughtMails): RequestListener {
  return (request, response) => respond(mails, request, response);
}
