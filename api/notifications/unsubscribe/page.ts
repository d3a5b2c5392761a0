/**
 * The pages of the unsubscribe link of a mail: a confirmation page and a result page. Mail scanners follow links, so
 * GET changes nothing.
 */
import type { UnsubscribeScope } from '../../../models/notifications/mail/unsubscribeTokens.js';
import { escapeHtml, htmlPage } from '../../http/htmlPage.js';
import { ONE_CLICK } from './oneClick.js';

export const confirmationPage = (organization: string, scope: UnsubscribeScope) =>
  htmlPage(
    'Unsubscribe',
    `<p>${escapeHtml(organization)} will send you no more mail about: <b>${escapeHtml(wordsOf(scope))}</b>.</p>
<form method="post"><input type="hidden" name="${ONE_CLICK.field}" value="${ONE_CLICK.value}">
<button type="submit">Unsubscribe</button></form>`,
  );

export const resultPage = (organization: string, scope: UnsubscribeScope) =>
  htmlPage(
    'Unsubscribed',
    `<p>${escapeHtml(organization)} sends you no more mail about: <b>${escapeHtml(wordsOf(scope))}</b>.</p>
<p>You can change this at any time after you sign in.</p>`,
  );

function wordsOf(scope: UnsubscribeScope): string {
  if ('events' in scope) return scope.events.map((event) => event.replaceAll('_', ' ')).join(', ');
  return 'conversation' in scope ? 'this conversation' : 'digests';
}
