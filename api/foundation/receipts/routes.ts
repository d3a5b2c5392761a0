import { z } from 'zod';
import { loadRow, readPage, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { resendReceipt } from '../../../models/foundation/receipts/resendReceipt.js';
import { TaxReceipt } from '../../../models/foundation/receipts/TaxReceipt.js';
import { verifyReceipt } from '../../../models/foundation/receipts/verifyReceipt.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, policy } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { foundation } from '../fields.js';
import { receiptPage, unknownReceiptPage } from './page.js';
import { sendReceiptPdf } from './sendReceiptPdf.js';
import { presentReceipt, ReceiptFilters, ReceiptJson } from './schema.js';

const receiptPolicy = policy('receipt', { read: [foundationEditor], resend: [foundationAdmin] });

const reads = { ...foundation, rule: by(receiptPolicy, 'read') };

export const receiptRoutes = routes('/api/foundation/receipts', [
  get(
    '/',
    {
      ...reads,
      summary: 'List receipts, the newest first',
      operationId: 'listReceipts',
      query: ReceiptFilters,
      response: pageOf(ReceiptJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, receiptPolicy, 'read');
      const { page: _, page_size: __, year, ...filters } = query;
      const where = { ...toColumns(TaxReceipt, filters), tax_year: year };
      const found = await readPage(TaxReceipt, { where, orderBy: 'tax_receipts.id DESC', ...pageRequest(query) });
      return presentPage(found, query, request, presentReceipt);
    },
  ),

  get(
    '/:id/',
    { ...reads, summary: 'Get a receipt', operationId: 'getReceipt', params: RowParams, response: ReceiptJson },
    async ({ actor, params }) => {
      authorize(actor, receiptPolicy, 'read');
      return presentReceipt(await readRow(TaxReceipt, params.id));
    },
  ),

  get(
    '/:id/pdf/',
    {
      ...reads,
      summary: 'Get a receipt as a PDF',
      description: 'Drawn from what the receipt printed when it was issued, so its content never changes.',
      operationId: 'getReceiptPdf',
      params: RowParams,
      status: 200,
      textResponse: 'application/pdf',
    },
    async ({ actor, params }) => {
      authorize(actor, receiptPolicy, 'read');
      const receipt = await loadRow(TaxReceipt, params.id);
      return new AfterCommit(() => sendReceiptPdf(receipt));
    },
  ),

  post(
    '/:id/resend/',
    {
      ...foundation,
      rule: by(receiptPolicy, 'resend'),
      summary: 'Mail a receipt to its donor again',
      description: 'Possible three times a day while the receipt is valid.',
      operationId: 'resendReceipt',
      params: RowParams,
      response: ReceiptJson,
      errors: [foundationErrors.receipt_not_valid, foundationErrors.receipt_mail_waiting],
    },
    async ({ actor, params }) => {
      authorize(actor, receiptPolicy, 'resend');
      await resendReceipt(params.id);
      await spendOnTarget('receipt_resend', params.id);
      return presentReceipt(await readRow(TaxReceipt, params.id));
    },
  ),
]);

export const receiptVerificationRoutes = routes('/receipts', [
  get(
    '/:code/',
    {
      access: 'public',
      tags: ['foundation'],
      throttle: ['public_receipt'],
      summary: 'Page that says whether a receipt is valid',
      description:
        'For the code that is printed on the receipt. It shows number, days, amount, status and the number of the receipt that replaced it, and no names.',
      operationId: 'getReceiptVerificationPage',
      params: z.object({ code: z.string() }),
      status: 200,
      // The page for an unknown code.
      alsoStatus: [404],
      textResponse: 'text/html',
    },
    async ({ params }) => {
      const receipt = await verifyReceipt(params.code);
      return receipt ? receiptPage(receipt) : unknownReceiptPage();
    },
  ),
]);
