import { Readable } from 'node:stream';
import { letterPdf } from '../../../gateways/documents/letter.js';
import {
  composeReceiptDocument,
  type ReceiptFacts,
  receiptFileName,
} from '../../../models/foundation/receipts/receiptTexts.js';
import { Answer } from '../../http/routes.js';

/** Sends a receipt as a PDF, drawn from what it printed when it was issued. */
export async function sendReceiptPdf(receipt: ReceiptFacts): Promise<Answer<void>> {
  const headers = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="${receiptFileName(receipt)}"`,
  };
  return new Answer(undefined, { headers, stream: Readable.from([await letterPdf(composeReceiptDocument(receipt))]) });
}
