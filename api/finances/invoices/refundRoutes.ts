import { readPage, readRow } from '../../../models/database/model/read.js';
import { invalid, refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { Refund } from '../../../models/finances/refunds/Refund.js';
import { refundAsOfficer } from '../../../models/finances/refunds/refundAsOfficer.js';
import { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { type Reserved, reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { presentRequest } from '../refund-requests/present.js';
import { RefundRequestJson } from '../refund-requests/schema.js';
import { afterSending } from '../refunds/afterSending.js';
import { presentRefund } from '../refunds/present.js';
import { RefundedJson, RefundFilters, RefundInvoice, RefundJson } from '../refunds/schema.js';
import { readsAmounts } from '../amounts.js';
import { invoicePolicy } from './policy.js';
import { presentInvoiceDetail } from './present.js';
import { reachInvoice } from './reach.js';

const { invoice_void, nothing_to_refund, refund_exceeds_refundable, refund_request_pending } = financesErrors;

const answered = (actor: Actor, invoiceId: string, reserved: Reserved) =>
  afterSending(actor, reserved, async (refunds) => {
    const invoice = await reachInvoice(actor, invoiceId);
    const shown = refunds.map((refund) => presentRefund(actor, invoice, refund));
    return { refunds: shown, invoice: presentInvoiceDetail(actor, invoice) };
  });

export const invoiceRefundRoutes = routes('/api/invoices/:id', [
  post(
    '/refund/',
    {
      ...finances,
      summary: 'Give money of an invoice back',
      description:
        'On the charges that took it, the newest payment first, one refund a charge; what was paid by hand goes back by record. ' +
        'A refund of an officer above the cap, of their own invoice, or where they see no amounts is filed for an administrator: 202.',
      operationId: 'refundInvoice',
      rule: by(invoicePolicy, 'refund'),
      params: RowParams,
      body: RefundInvoice,
      response: RefundedJson.or(RefundRequestJson),
      status: 201,
      alsoStatus: [202],
      errors: [invoice_void, nothing_to_refund, refund_exceeds_refundable, refund_request_pending],
    },
    async ({ actor, params: { id }, body }) => {
      const invoice = await reachInvoice(actor, id);
      const subject = { chapter_id: invoice.chapter, membership_id: invoice.membership };
      authorize(actor, invoicePolicy, 'refund', subject);
      if (may(actor, invoicePolicy, 'discount', subject))
        return answered(actor, id, await reserveRefunds(id, { ...body, tellsAmounts: true }));
      if (body.waive) throw refuse.forbidden('Only administrators waive.');
      const hidden = !(await readsAmounts(actor, { chapter_id: invoice.chapter }));
      if (hidden && body.amount_cents !== undefined)
        throw invalid('amount_cents', 'Amounts are not shown to officers here: leave this out, and all of it counts.');
      const isOwn = actor.membershipIds.includes(invoice.membership ?? '');
      const done = await refundAsOfficer(id, { ...body, tellsAmounts: !hidden }, { asks: hidden || isOwn });
      if ('refunds' in done) return answered(actor, id, done);
      return new Answer(presentRequest(await readRow(RefundRequest, done.requestId), { hidden }), { status: 202 });
    },
  ),

  get(
    '/refunds/',
    {
      ...finances,
      summary: 'Refunds of an invoice, oldest first',
      rule: by(invoicePolicy, 'read'),
      params: RowParams,
      query: RefundFilters,
      response: pageOf(RefundJson),
    },
    async ({ actor, params, query, request }) => {
      const invoice = await reachInvoice(actor, params.id);
      const page = await readPage(Refund, {
        where: { invoice_id: params.id },
        orderBy: 'refunds.id',
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (refund) => presentRefund(actor, invoice, refund));
    },
  ),
]);
