import { requireFound } from '../../errors.js';
import { explainInvoice } from '../explain/explainInvoice.js';
import { readInvoice } from '../invoices/readInvoice.js';
import { readLetterhead } from '../ledger/readLetterhead.js';
import { readStatement } from '../ledger/readStatement.js';
import { composeReceipt } from './composeReceipt.js';
import { composeStatement } from './composeStatement.js';
import type { DocumentRequest } from './DrawnDocument.js';

/** Maximum lines of a document that the API creates within the request. */
export const MAX_INLINE_LINES = 500;
/** Maximum lines of one document. */
export const MAX_DOCUMENT_LINES = 5_000;

/** Returns the document's file name, without an extension. */
export const fileNameOf = (request: DocumentRequest): string =>
  request.of === 'invoice' ? `receipt-${request.id}` : `statement-${request.from ?? 'all'}-${request.to}`;

/** Composes a document from the present data. @throws Refusal not_found */
export async function readDocument(request: DocumentRequest) {
  if (request.of !== 'invoice')
    return composeStatement(await readStatement(request.of, request.id, request, MAX_DOCUMENT_LINES), request.amounts);
  const invoice = requireFound(await readInvoice(request.id));
  return composeReceipt(invoice, await explainInvoice(invoice.id), await readLetterhead(invoice.chapter), request);
}
