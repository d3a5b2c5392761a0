import { composeReceipt } from '../../../models/finances/documents/composeReceipt.js';
import { MAX_DOCUMENT_LINES } from '../../../models/finances/documents/readDocument.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { explainInvoice } from '../../../models/finances/explain/explainInvoice.js';
import { readLetterhead } from '../../../models/finances/ledger/readLetterhead.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { answerDocument, LONG_DOCUMENT_NOTE, pdf } from '../statement/document.js';
import { invoicePolicy } from './policy.js';
import { seesInvoiceAmounts } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';

export const invoiceReceiptRoutes = routes('/api/invoices/:id', [
  get(
    '/receipt/',
    {
      ...pdf,
      summary: 'Receipt of an invoice, as a PDF',
      description: `The current state, with refunds and disputes. A reader who sees no amounts gets the events and their dates. ${LONG_DOCUMENT_NOTE}`,
      operationId: 'getInvoiceReceipt',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      errors: [...pdf.errors, financesErrors.document_too_long],
    },
    async ({ actor, params: { id }, request }) => {
      const invoice = await readVisibleInvoice(actor, id);
      const explained = await explainInvoice(id);
      const letterhead = await readLetterhead(invoice.chapter);
      const lines = explained.entries.length;
      if (lines > MAX_DOCUMENT_LINES) throw financesErrors.document_too_long();
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
