import { keepAsCredit, refundUnmatched } from '../../../models/finances/captures/resolveUnmatched.js';
import { listUnmatched, readUnmatched } from '../../../models/finances/captures/unmatchedPayments.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { finances, OrganizationParams } from '../fields.js';
import { unmatchedPaymentPolicy } from './policy.js';
import { CaptureParams, UnmatchedFilters, UnmatchedPaymentJson, UnmatchedResolve } from './schema.js';

function admit(actor: Actor, organizationId: string, action: 'read' | 'resolve'): void {
  organizationInPath(actor, organizationId);
  authorize(actor, unmatchedPaymentPolicy, action);
}

export const unmatchedPaymentRoutes = routes('/api/organizations/:organization_id/unmatched-payments', [
  get(
    '/',
    {
      ...finances,
      summary: 'Payments that were for nothing here',
      rule: by(unmatchedPaymentPolicy, 'read'),
      params: OrganizationParams,
      query: UnmatchedFilters,
      response: pageOf(UnmatchedPaymentJson),
    },
    async ({ actor, params, query, request }) => {
      admit(actor, params.organization_id, 'read');
      return presentPage(await listUnmatched(query.resolved, pageRequest(query)), query, request, (payment) => payment);
    },
  ),

  post(
    '/:capture_id/resolve/',
    {
      ...finances,
      summary: 'Give a payment back, or keep it as credit',
      rule: by(unmatchedPaymentPolicy, 'resolve'),
      description:
        'A refund is asked for at the provider and answered with 202 while it is under way; only the provider ends it. ' +
        'Kept money becomes credit of the payer, and a later refund takes it back.',
      operationId: 'resolveUnmatchedPayment',
      params: CaptureParams,
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
      admit(actor, params.organization_id, 'resolve');
      const { payer, note } = body;
      if (!payer) {
        await refundUnmatched(params.capture_id, note);
        return new Answer(await readUnmatched(params.capture_id), { status: 202 });
      }
      const whose = { chapterId: payer.chapter, membershipId: payer.membership ?? null };
      await keepAsCredit(params.capture_id, whose, note);
      return readUnmatched(params.capture_id);
    },
  ),
]);
