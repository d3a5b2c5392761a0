import { keepAsCredit, refundUnmatched } from '../../../models/finances/captures/resolveUnmatched.js';
import { listUnmatched, readUnmatched } from '../../../models/finances/captures/unmatchedPayments.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { UnmatchedFilters, UnmatchedPaymentJson, UnmatchedResolve } from './schema.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';

export const unmatchedPaymentPolicy = policy('unmatched payment', { read: [nationalAdmin], resolve: [nationalAdmin] });

export const unmatchedPaymentRoutes = routes('/api/organizations/:organization_id/unmatched-payments', [
  get(
    '/',
    {
      ...finances,
      summary: 'Unmatched payments',
      rule: by(unmatchedPaymentPolicy, 'read'),
      params: OrganizationParams,
      query: UnmatchedFilters,
      response: pageOf(UnmatchedPaymentJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, unmatchedPaymentPolicy, 'read');
      return presentPage(
        await listUnmatched('dues', query.resolved, pageRequest(query)),
        query,
        request,
        (payment) => payment,
      );
    },
  ),

  post(
    '/:id/resolve/',
    {
      ...finances,
      summary: 'Refund an unmatched payment, or keep it as credit',
      rule: by(unmatchedPaymentPolicy, 'resolve'),
      description:
        'A refund is requested at the provider; the answer is 202 while it is pending, and only the provider ends it. ' +
        'Kept money becomes credit of the payer; a later refund of the charge removes that credit.',
      operationId: 'resolveUnmatchedPayment',
      params: OrganizationRowParams,
      body: UnmatchedResolve,
      response: UnmatchedPaymentJson,
      alsoStatus: [202],
      stepUp: 'tenant',
      errors: [
        financesErrors.payment_already_resolved,
        financesErrors.payment_being_refunded,
        financesErrors.payment_other_currency,
      ],
    },
    async ({ actor, params, body }) => {
      authorize(actor, unmatchedPaymentPolicy, 'resolve');
      const { payer, note } = body;
      if (!payer) {
        await refundUnmatched('dues', params.id, note);
        return new Answer(await readUnmatched('dues', params.id), { status: 202 });
      }
      const creditOwner = { chapterId: payer.chapter, membershipId: payer.membership ?? null };
      await keepAsCredit(params.id, creditOwner, note);
      return readUnmatched('dues', params.id);
    },
  ),
]);
