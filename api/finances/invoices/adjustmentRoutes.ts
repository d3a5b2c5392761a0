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
import { authorizeAdjustment } from './actions.js';
import { invoicePolicy } from './policy.js';
import { presentInvoiceDetail } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';
import { InvoiceJson } from './schema.js';
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
const officerErrors = [own_invoice, amounts_hidden];

const present = async (actor: Actor, id: string) => presentInvoiceDetail(actor, await readVisibleInvoice(actor, id));

/** Requires that the actor may manage the discounts of an invoice. @throws Refusal not_found, forbidden */
async function requireMayDiscount(actor: Actor, id: string): Promise<void> {
  const { chapter, membership } = await readVisibleInvoice(actor, id);
  authorize(actor, invoicePolicy, 'discount', { chapter_id: chapter, membership_id: membership });
}

/** Requires that the actor may adjust an invoice. @throws Refusal not_found, forbidden, own_invoice, amounts_hidden */
const requireAdjustable = async (actor: Actor, id: string): Promise<void> =>
  authorizeAdjustment(actor, await readVisibleInvoice(actor, id));

export const adjustmentRoutes = routes('/api/invoices/:id', [
  post(
    '/adjust/',
    {
      ...finances,
      summary: 'Pay an invoice from credit, add a fee, or waive a part of it',
      description: 'Officers may do this for members of their chapter, but not for themselves, and may not waive.',
      operationId: 'adjustInvoice',
      rule: by(invoicePolicy, 'adjust', 'discount'),
      params: RowParams,
      body: AdjustInvoice,
      response: InvoiceJson,
      status: 201,
      errors: [invoice_void, invoice_being_paid, financesErrors.credit_not_available, ...officerErrors],
    },
    async ({ actor, params: { id }, body: { kind, amount_cents, reason } }) => {
      if (kind === 'waiver') {
        await requireMayDiscount(actor, id);
        await grantDiscount(id, { amount_cents, category: 'waiver', reason });
      } else {
        await requireAdjustable(actor, id);
        await (kind === 'fee' ? addFee : payFromCredit)(id, amount_cents, reason);
      }
      return present(actor, id);
    },
  ),

  post(
    '/payments/',
    {
      ...finances,
      summary: 'Record a manual payment',
      description:
        'Recorded once per idempotency key; a repeated request is answered with 200. An amount beyond the balance becomes credit of the payer.',
      operationId: 'recordPaymentByHand',
      rule: by(invoicePolicy, 'adjust'),
      params: RowParams,
      body: PayByHand,
      response: PaidByHandJson,
      status: 201,
      alsoStatus: [200],
      errors: [invoice_void, invoice_being_paid, refuse.idempotency_mismatch, ...officerErrors],
    },
    async ({ actor, params: { id }, body }) => {
      await requireAdjustable(actor, id);
      const { paymentId, repeated } = await payByHand(id, body);
      return new Answer({ payment: paymentId, invoice: await present(actor, id) }, { status: repeated ? 200 : 201 });
    },
  ),

  get(
    '/discounts/',
    {
      ...finances,
      summary: 'Discounts of an invoice, including voided ones',
      rule: by(invoicePolicy, 'discount'),
      params: RowParams,
      query: DiscountFilters,
      response: pageOf(DiscountJson),
    },
    async ({ actor, params, query, request }) => {
      await requireMayDiscount(actor, params.id);
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
      summary: 'Grant a discount on an invoice',
      description: 'A discount reduces the balance and is never money: an amount beyond the balance has no effect.',
      operationId: 'grantInvoiceDiscount',
      rule: by(invoicePolicy, 'discount'),
      params: RowParams,
      body: GrantDiscount,
      response: DiscountJson,
      status: 201,
      errors: [invoice_void],
    },
    async ({ actor, params, body }) => {
      await requireMayDiscount(actor, params.id);
      return readRow(InvoiceDiscount, await grantDiscount(params.id, body));
    },
  ),

  post(
    '/discounts/:discount_id/void/',
    {
      ...finances,
      summary: 'Void a discount; its amount is due again',
      operationId: 'voidInvoiceDiscount',
      rule: by(invoicePolicy, 'discount'),
      params: DiscountParams,
      body: VoidDiscount,
      response: DiscountJson,
      errors: [invoice_void, financesErrors.discount_voided],
    },
    async ({ actor, params: { id, discount_id }, body }) => {
      await requireMayDiscount(actor, id);
      await voidDiscount(id, discount_id, body.reason);
      return readRow(InvoiceDiscount, discount_id);
    },
  ),
]);
