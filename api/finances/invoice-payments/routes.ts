import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { hostedPaymentErrors, openHostedAttempt } from '../../../models/finances/attempts/hostedPayment.js';
import { readInvoicePayer } from '../../../models/finances/attempts/readPayer.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { moment } from '../../../models/fields.js';
import { by, may, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { answerClick } from './outcome.js';
import { RowParams } from '../../http/params.js';
import { readsAmounts } from '../amounts.js';

/** Members pay their own invoices; officers and admins may open the page for any payer whom they bill. */
const invoicePaymentPolicy = policy('invoice payment', { pay: [self, officerOfChapter, nationalAdmin] });

const HostedSession = z.object({ url: z.url(), expires_at: moment, attempt: z.uuid() }).meta({
  id: 'HostedSession',
  description:
    'A hosted page of the gateway. It closes when the amount due changes. A payment on it is found even if its webhook event does not arrive.',
});

export const invoicePaymentRoutes = routes('/api/invoices', [
  post(
    '/:id/pay/',
    {
      summary: 'Open a hosted page to pay an invoice',
      rule: by(invoicePaymentPolicy, 'pay'),
      access: 'tenant',
      tags: ['finances'],
      params: RowParams,
      response: HostedSession,
      status: 201,
      errors: [
        hostedPaymentErrors.invoice_not_payable,
        hostedPaymentErrors.amount_too_small,
        hostedPaymentErrors.invoice_being_paid,
        hostedPaymentErrors.earlier_page_open,
        remittanceErrors.payment_processor_required,
        remittanceErrors.payment_failed,
        refuse.unavailable,
      ],
    },
    async ({ actor, params }) => {
      const payer = await readInvoicePayer(params.id);
      if (!payer || !may(actor, invoicePaymentPolicy, 'pay', payer)) throw refuse.not_found();
      // Readers who see no amounts are refused, because the hosted page shows the amount that is due.
      if (!(await readsAmounts(actor, payer)))
        throw refuse.forbidden(
          'The payment page shows amounts, which officers of this organization do not see. Ask the member to open it.',
        );
      const click = await openHostedAttempt(params.id, actor.userId);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        return answerClick(actor, params.id, click);
      });
    },
  ),
]);
