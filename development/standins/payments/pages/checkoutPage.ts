/** The hosted page of a checkout session. */
import { testCardChoices } from '../resources/cards.js';
import { successUrl } from '../resources/checkoutPay.js';
import type { SessionRow } from '../state/types.js';
import type { Answer } from '../../kit/exchange.js';
import { formatMoney } from '../wire/money.js';
import { escapeHtml, page, redirect } from '../../kit/html.js';

/** Returns the payment page of a checkout session. If the session has ended, the page offers no payment. */
export function checkoutPage(row: SessionRow, problem: string | null = null): Answer {
  const session = row.value;
  if (session.status === 'complete') return redirect(successUrl(row));
  if (session.status !== 'open') return page('This payment page has expired', cancelLink(row), 410);
  const lines = row.lineItems.map((item) => {
    const total = formatMoney(item.amount_total, session.currency ?? 'usd');
    return `<tr><td>${escapeHtml(item.description ?? '')}</td><td>${item.quantity ?? 1}</td><td>${total}</td></tr>`;
  });
  const options = testCardChoices().map(({ token, label }) => `<option value="${token}">${escapeHtml(label)}</option>`);
  const total = formatMoney(session.amount_total ?? 0, session.currency ?? 'usd');
  const alert = problem === null ? '' : `<p role="alert">${escapeHtml(problem)}</p>`;
  return page(
    `Pay ${total}`,
    `<p>Stand-in for the payment gateway. No money moves.</p>
${alert}
<table><thead><tr><th>Item</th><th>Quantity</th><th>Amount</th></tr></thead><tbody>${lines.join('')}</tbody></table>
<form method="post">
<label for="payment-method">Test card</label>
<select id="payment-method" name="payment_method">${options.join('')}</select>
<button id="pay" type="submit">Pay ${total}</button>
</form>
${cancelLink(row)}`,
    problem === null ? 200 : 402,
  );
}

function cancelLink(row: SessionRow): string {
  const url = row.value.cancel_url;
  // Only web addresses become links.
  if (url === null || !/^https?:\/\//.test(url)) return '';
  return `<p><a id="cancel" href="${escapeHtml(url)}">Go back without paying</a></p>`;
}
