/**
 * The pages of the unsubscribe link of a mail: a confirmation page and a result page. Mail scanners follow links, so
 * GET changes nothing.
 */
import type { UnsubscribeScope } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { Answer } from '../../http/routes.js';
import { ONE_CLICK } from './oneClick.js';

/** No scripts run, nothing is loaded, and the form can be sent only to this origin. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY };

export const confirmationPage = (organization: string, scope: UnsubscribeScope) =>
  page(
    'Unsubscribe',
    `<p>${escape(organization)} will send you no more mail about: <b>${escape(wordsOf(scope))}</b>.</p>
<form method="post"><input type="hidden" name="${ONE_CLICK.field}" value="${ONE_CLICK.value}">
<button type="submit">Unsubscribe</button></form>`,
  );

export const resultPage = (organization: string, scope: UnsubscribeScope) =>
  page(
    'Unsubscribed',
    `<p>${escape(organization)} sends you no more mail about: <b>${escape(wordsOf(scope))}</b>.</p>
<p>You can change this at any time after you sign in.</p>`,
  );

function wordsOf(scope: UnsubscribeScope): string {
  if ('events' in scope) return scope.events.map((event) => event.replaceAll('_', ' ')).join(', ');
  return 'digests';
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, body: string) =>
  new Answer(undefined, {
    headers: HEADERS,
    text: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body { font: 16px/1.5 sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem } button { font: inherit }</style>
</head><body><main><h1>${title}</h1>
${body}
</main></body></html>
`,
  });
