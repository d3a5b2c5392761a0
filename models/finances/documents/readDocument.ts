import { found } from '../../errors.js';
import { explainInvoice } from '../explain/explainInvoice.js';
import { readInvoice } from '../invoices/readInvoice.js';
import { readLetterhead } from '../ledger/readLetterhead.js';
import { readStatement } from '../ledger/readStatement.js';
import { composeReceipt } from './composeReceipt.js';
import { composeStatement } from './composeStatement.js';
import type { DocumentRequest } from './DrawnDocument.js';

/** Lines that the API draws itself. */
export const DRAWN_AT_ONCE = 500;
/** Of one document. */
export const MOST_LINES = 5_000;

/** What its file is called. */
export const nameOf = (request: DocumentRequest): string =>
  request.of === 'invoice' ? `receipt-${request.id}` : `statement-${request.from ?? 'all'}-${request.to}`;

/** A document as it is printed, of now. @throws Refusal not_found */
export async function readDocument(request: DocumentRequest) {
  if (request.of !== 'invoice')
    return composeStatement(await readStatement(request.of, request.id, request, MOST_LINES), request.amounts);
  const invoice = found(await readInvoice(request.id));
  return composeReceipt(invoice, await explainInvoice(invoice.id), await readLetterhead(invoice.chapter), request);
}
