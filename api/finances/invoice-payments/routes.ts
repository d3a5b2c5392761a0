import { z } from 'zod';
import { config } from '../../../config.js';
import { ChargeRefused, OutcomeUnknown } from '../../../gateways/payments/port.js';
import { paymentPort } from '../../../gateways/payments/processors.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import {
  type HostedAttempt,
  hostedPaymentErrors,
  openHostedAttempt,
  rememberHostedPage,
} from '../../../models/finances/attempts/hostedPayment.js';
import { processorAccess } from '../../../models/finances/attempts/processorAccess.js';
import { readPayer } from '../../../models/finances/attempts/readPayer.js';
import { officersSeeAmounts } from '../../../models/finances/settings/officersSeeAmounts.js';
import { remittanceErrors } from '../../../models/finances/remittances/errors.js';
import { may, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import { AfterCommit, post, routes } from '../../http/routes.js';

/** Members pay their own; officers and administrators may open the page for anyone whom they bill. */
const invoicePaymentPolicy = policy('invoice payment', { pay: [self, officerOfChapter, nationalAdmin] });

const HostedSession = z
  .object({ url: z.url(), expires_at: z.iso.datetime({ offset: true }), attempt: z.uuid() })
  .meta({ id: 'HostedSession', description: "A page of the gateway; the payment arrives by the gateway's event." });

export const invoicePaymentRoutes = routes('/api/invoices', [
  post(
    '/:id/pay/',
    {
      summary: 'Open a hosted page to pay an invoice',
      access: 'tenant',
      tags: ['finances'],
      params: z.object({ id: z.uuid() }),
      response: HostedSession,
      status: 201,
      errors: [
        hostedPaymentErrors.invoice_not_payable,
        hostedPaymentErrors.invoice_being_paid,
        remittanceErrors.payment_processor_required,
        refuse.unavailable,
      ],
    },
    async ({ actor, params }) => {
      const payer = await readPayer(params.id);
      if (!payer || !may(actor, invoicePaymentPolicy, 'pay', payer)) throw refuse.not_found();
      // The page shows what is due.
      const shown =
        actor.isNationalAdmin ||
        actor.membershipIds.includes(payer.membership_id ?? '') ||
        (await officersSeeAmounts());
      if (!shown) throw refuse.forbidden('Amounts are not shown to officers here, so the member opens this page.');
      const attempt = await openHostedAttempt(params.id, actor.userId);
      return new AfterCommit(async () => {
        const page =
          attempt.url && attempt.expiresAt
            ? { url: attempt.url, expiresAt: attempt.expiresAt }
            : await openPage(actor.organizationId, params.id, attempt);
        return { url: page.url, expires_at: page.expiresAt.toISOString(), attempt: attempt.id };
      });
    },
  ),
]);

async function openPage(organizationId: string, invoiceId: string, attempt: HostedAttempt) {
  const access = await inTenant(organizationId, () => processorAccess(attempt.processorId), { readOnly: true });
  try {
    const page = await paymentPort(access).openHostedPayment({
      amountCents: attempt.amountCents,
      currency: attempt.currency,
      description: attempt.description,
      reference: {
        organization_id: organizationId,
        processor_id: attempt.processorId,
        invoice_id: invoiceId,
        attempt_id: attempt.id,
      },
      idempotencyKey: `hosted:${attempt.id}`,
      returnUrl: `${config.frontendUrl}/billing/invoices/${invoiceId}`,
    });
    await inTenant(organizationId, () => rememberHostedPage(attempt.id, page));
    return page;
  } catch (error) {
    if (error instanceof ChargeRefused) throw remittanceErrors.payment_failed();
    if (error instanceof OutcomeUnknown)
      throw refuse.unavailable('The payment provider does not answer. Nothing was charged.', undefined, {
        'Retry-After': '10',
      });
    throw error;
  }
}
