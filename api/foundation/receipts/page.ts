/** The public page that says whether a receipt is valid. It names no person. */
import { formatDay } from '../../../models/foundation/receipts/receiptTexts.js';
import type { VerifiedReceipt } from '../../../models/foundation/receipts/verifyReceipt.js';
import { money } from '../../../models/finances/money.js';
import { escapeHtml, htmlPage } from '../../http/htmlPage.js';

const STATUS_TEXTS: Record<VerifiedReceipt['status'], string> = {
  valid: 'This receipt is valid.',
  superseded: 'This receipt is no longer valid. Another one replaces it.',
  void: 'This receipt is no longer valid. The money was returned.',
};

export function receiptPage({ status, successor, ...receipt }: VerifiedReceipt) {
  const title = receipt.kind === 'annual' ? 'Annual receipt' : 'Receipt';
  const facts: [string, string][] = [
    ['Number', receipt.number],
    receipt.given_on === null
      ? ['Tax year', String(receipt.tax_year)]
      : ['Date of the gift', formatDay(receipt.given_on)],
    ['Issued', formatDay(receipt.issued_on)],
    ['Amount', money(receipt.amount_cents, receipt.currency)],
    ['Status', status],
    ...(successor === null ? [] : ([['Replaced by', successor]] as [string, string][])),
  ];
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('\n');
  return htmlPage(title, `<p><b>${STATUS_TEXTS[status]}</b></p>\n<dl>\n${list}\n</dl>`);
}

export const unknownReceiptPage = () =>
  htmlPage('Receipt', '<p>There is no receipt with this code. Check that the address is complete.</p>', {
    status: 404,
  });
