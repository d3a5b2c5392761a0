/**
 * The pages of the unsubscribe link of a bulletin: one that asks, and one that tells the result. Mail scanners follow
 * links, so GET changes nothing.
 */
import { escapeHtml, htmlPage } from '../../http/htmlPage.js';
import { ONE_CLICK } from '../../notifications/unsubscribe/oneClick.js';

export const confirmationPage = (foundation: string) =>
  htmlPage(
    'Unsubscribe',
    `<p>Do you want no more bulletins from <b>${escapeHtml(foundation)}</b>? Receipts for your gifts still come.</p>
<form method="post"><input type="hidden" name="${ONE_CLICK.field}" value="${ONE_CLICK.value}">
<button type="submit">Unsubscribe</button></form>`,
  );

export const resultPage = (foundation: string) =>
  htmlPage('Unsubscribed', `<p><b>${escapeHtml(foundation)}</b> sends you no more bulletins.</p>`);
