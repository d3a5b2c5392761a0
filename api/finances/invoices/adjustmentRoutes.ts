import { readPage, readRow } from '../../../models/database/model/read.js';
import { addFee } from '../../../models/finances/adjustments/addFee.js';
import { grantDiscount, voidDiscount } from '../../../models/finances/adjustments/discounts.js';
import { InvoiceDiscount } from '../../../models/finances/adjustments/InvoiceDiscount.js';
import { payByHand } from '../../../models/finances/adjustments/payByHand.js';
import { payFromCredit } from '../../../models/finances/adjustments/payFromCredit.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { invoicePolicy } from './policy.js';
import { presentInvoiceDetail } from './present.js';
import { reachInvoice } from './reach.js';
import { InvoiceJson } from './schema.js';
import { adjustable } from './mayAdjust.js';
import {
  AdjustInvoice,
  DiscountFilters,
  DiscountJson,
  DiscountParams,
  GrantDiscount,
  PaidByHandJson,
  PayByHand,
  VoidDiscount,
} from './adjustmentSchema.js';

const { invoice_void, invoice_being_paid, own_invoice, amounts_hidden } = financesErrors;
const ofOfficers = [own_invoice, amounts_hidden];

const present = async (actor: Actor, id: string) => presentInvoiceDetail(actor, await reachInvoice(actor, id));

/** An invoice whose discounts this actor sees to. @throws Refusal not_found, forbidden */
async function discountable(actor: Actor, id: string): Promise<void> {
  const { chapter, membership } = await reachInvoice(actor, id);
  authorize(actor, invoicePolicy, 'discount', { chapter_id: chapter, membership_id: membership });
}

export const adjustmentRoutes = routes('/api/invoices/:id', [
  post(
    '/adjust/',
    {
      ...finances,
      summary: 'Pay from credit, add a fee, or waive a part of an invoice',
      description: 'Officers do it for members of their chapter, never for themselves, and waive nothing.',
      operationId: 'adjustInvoice',
      rule: by(invoicePolicy, 'adjust', 'discount'),
      params: RowParams,
      body: AdjustInvoice,
      response: InvoiceJson,
      status: 201,
      errors: [invoice_void, invoice_being_paid, financesErrors.credit_not_available, ...ofOfficers],
    },
    async ({ actor, params: { id }, body: { kind, amount_cents, reason } }) => {
      if (kind === 'waiver') {
        await discountable(actor, id);
        await grantDiscount(id, { amount_cents, category: 'waiver', reason });
      } else {
        await adjustable(actor, id);
        await (kind === 'fee' ? addFee : payFromCredit)(id, amount_cents, reason);
      }
      return present(actor, id);
    },
  ),

  post(
    '/payments/',
    {
      ...finances,
      summary: 'Record a payment that came by hand',
      description:
        'Once for its key; sent again it is answered with 200. What is more than is due becomes the payer’s credit.',
      operationId: 'recordPaymentByHand',
      rule: by(invoicePolicy, 'adjust'),
      params: RowParams,
      body: PayByHand,
      response: PaidByHandJson,
      status: 201,
      alsoStatus: [200],
      errors: [invoice_void, invoice_being_paid, refuse.idempotency_mismatch, ...ofOfficers],
    },
    async ({ actor, params: { id }, body }) => {
      await adjustable(actor, id);
      const { paymentId, repeated } = await payByHand(id, body);
      return new Answer({ payment: paymentId, invoice: await present(actor, id) }, { status: repeated ? 200 : 201 });
    },
  ),

  get(
    '/discounts/',
    {
      ...finances,
      summary: 'Discounts of an invoice, those that were voided too',
      rule: by(invoicePolicy, 'discount'),
      params: RowParams,
      query: DiscountFilters,
      response: pageOf(DiscountJson),
    },
    async ({ actor, params, query, request }) => {
      await discountable(actor, params.id);
      const page = await readPage(InvoiceDiscount, {
        where: { invoice_id: params.id },
        orderBy: 'invoice_discounts.id',
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (discount) => discount);
    },
  ),

  post(
    '/discounts/',
    {
      ...finances,
      summary: 'Give a discount on an invoice',
      description:
        'It takes something off and is never money: what it takes off beyond the balance counts for nothing.',
      operationId: 'grantInvoiceDiscount',
      rule: by(invoicePolicy, 'discount'),
      params: RowParams,
      body: GrantDiscount,
      response: DiscountJson,
      status: 201,
      errors: [invoice_void],
    },
    async ({ actor, params, body }) => {
      await discountable(actor, params.id);
      return readRow(InvoiceDiscount, await grantDiscount(params.id, body));
    },
  ),

  post(
    '/discounts/:discount_id/void/',
    {
      ...finances,
      summary: 'Void a discount; what it took off is due again',
      operationId: 'voidInvoiceDiscount',
      rule: by(invoicePolicy, 'discount'),
      params: DiscountParams,
      body: VoidDiscount,
      response: DiscountJson,
      errors: [invoice_void, financesErrors.discount_voided],
    },
    async ({ actor, params: { id, discount_id }, body }) => {
      await discountable(actor, id);
      await voidDiscount(id, discount_id, body.reason);
      return readRow(InvoiceDiscount, discount_id);
    },
  ),
]);
