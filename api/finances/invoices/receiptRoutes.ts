import { composeReceipt } from '../../../models/finances/documents/composeReceipt.js';
import { MOST_LINES } from '../../../models/finances/documents/readDocument.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { explainInvoice } from '../../../models/finances/explain/explainInvoice.js';
import { readLetterhead } from '../../../models/finances/ledger/readLetterhead.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { answerDocument, LONG, pdf } from '../statement/document.js';
import { invoicePolicy } from './policy.js';
import { seesInvoiceAmounts } from './present.js';
import { reachInvoice } from './reach.js';

export const invoiceReceiptRoutes = routes('/api/invoices/:id', [
  get(
    '/receipt/',
    {
      ...pdf,
      summary: 'What was billed and paid on an invoice, as a PDF',
      description: `As of now, with refunds and disputes. Whoever sees no amounts reads what happened and when. ${LONG}`,
      operationId: 'getInvoiceReceipt',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      errors: [...pdf.errors, financesErrors.document_too_long],
    },
    async ({ actor, params: { id }, request }) => {
      const invoice = await reachInvoice(actor, id);
      const explained = await explainInvoice(id);
      const letterhead = await readLetterhead(invoice.chapter);
      const lines = explained.entries.length;
      if (lines > MOST_LINES) throw financesErrors.document_too_long();
      const reader = {
        amounts: seesInvoiceAmounts(actor, invoice),
        notes: may(actor, invoicePolicy, 'see_discount_notes', {
          chapter_id: invoice.chapter,
          membership_id: invoice.membership,
        }),
      };
      return answerDocument({ actor, request }, { of: 'invoice', id: invoice.id, ...reader }, lines, () =>
        composeReceipt(invoice, explained, letterhead, reader),
      );
    },
  ),
]);
