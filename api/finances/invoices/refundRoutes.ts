import { readPage, readRow } from '../../../models/database/model/read.js';
import { invalid, refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { Refund } from '../../../models/finances/refunds/Refund.js';
import { refundAsOfficer } from '../../../models/finances/refunds/refundAsOfficer.js';
import { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { type ReservedRefunds, reserveRefunds } from '../../../models/finances/refunds/reserveRefunds.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { presentRequest } from '../refund-requests/present.js';
import { RefundRequestJson } from '../refund-requests/schema.js';
import { answerWithRefunds } from '../refunds/answerWithRefunds.js';
import { presentRefund } from '../refunds/present.js';
import { RefundedJson, RefundFilters, RefundInvoice, RefundJson } from '../refunds/schema.js';
import { readsAmounts } from '../amounts.js';
import { invoicePolicy } from './policy.js';
import { presentInvoiceDetail } from './present.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';

const { invoice_void, nothing_to_refund, refund_exceeds_refundable, refund_request_pending } = financesErrors;

const answerRefunds = (actor: Actor, invoiceId: string, reserved: ReservedRefunds) =>
  answerWithRefunds(actor, reserved, async (refunds) => {
    const invoice = await readVisibleInvoice(actor, invoiceId);
    const presented = refunds.map((refund) => presentRefund(actor, invoice, refund));
    return { refunds: presented, invoice: presentInvoiceDetail(actor, invoice) };
  });

export const invoiceRefundRoutes = routes('/api/invoices/:id', [
  post(
    '/refund/',
    {
      ...finances,
      summary: 'Refund an invoice',
      description:
        'Refunds to the original charges, the newest payment first, with one refund for each charge; a manual payment is refunded by a record. ' +
        'A refund by an officer above the cap, of their own invoice, or without seeing amounts is filed for an administrator: 202.',
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
      const invoice = await readVisibleInvoice(actor, id);
      const subject = { chapter_id: invoice.chapter, membership_id: invoice.membership };
      authorize(actor, invoicePolicy, 'refund', subject);
      if (may(actor, invoicePolicy, 'discount', subject))
        return answerRefunds(actor, id, await reserveRefunds(id, { ...body, mayTellAmounts: true }));
      if (body.waive)
        throw refuse.forbidden(
          'Only administrators may waive the amount that is due again after the refund. Leave out `waive`.',
        );
      const hidden = !(await readsAmounts(actor, { chapter_id: invoice.chapter }));
      if (hidden && body.amount_cents !== undefined)
        throw invalid(
          'amount_cents',
          'Officers of this organization do not see amounts. Leave this out to refund everything that can be refunded.',
        );
      const isOwn = actor.membershipIds.includes(invoice.membership ?? '');
      const outcome = await refundAsOfficer(
        id,
        { ...body, mayTellAmounts: !hidden },
        { needsApproval: hidden || isOwn },
      );
      if ('refunds' in outcome) return answerRefunds(actor, id, outcome);
      return new Answer(presentRequest(await readRow(RefundRequest, outcome.requestId), { hidden }), { status: 202 });
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
      const invoice = await readVisibleInvoice(actor, params.id);
      const page = await readPage(Refund, {
        where: { invoice_id: params.id },
        orderBy: 'refunds.id',
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (refund) => presentRefund(actor, invoice, refund));
    },
  ),
]);
