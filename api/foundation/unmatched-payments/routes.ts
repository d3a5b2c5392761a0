import { z } from 'zod';
import { cents, moment, text } from '../../../models/fields.js';
import { GIFT_RESOLUTIONS, RESOLUTION_STATUSES } from '../../../models/finances/captures/resolutions.js';
import { refundUnmatched } from '../../../models/finances/captures/resolveUnmatched.js';
import {
  listUnmatched,
  readUnmatched,
  UNMATCHED_GIFT_STATES,
} from '../../../models/finances/captures/unmatchedPayments.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { acceptPayment } from '../../../models/foundation/donations/acceptPayment.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { UnmatchedFilters } from '../../finances/unmatched-payments/schema.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const unmatchedGiftPolicy = policy('unmatched payment of a gift', {
  read: [foundationAdmin],
  resolve: [foundationAdmin],
});

const ResolutionJson = z
  .object({
    id: z.uuid(),
    resolution: z.enum(GIFT_RESOLUTIONS),
    status: z.enum(RESOLUTION_STATUSES),
    amount_cents: cents,
    note: z.string(),
    failure_code: z.string().nullable().meta({ description: 'Why the provider refused the refund.' }),
    requested_by: z.uuid().nullable().meta({ description: 'Null: a process requested it.' }),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({ id: 'UnmatchedGiftResolution' });

const UnmatchedGiftPaymentJson = z
  .object({
    id: z.uuid(),
    processor: z.uuid(),
    processor_payment_id: z.string().meta({ description: "The charge's id at the provider." }),
    donation: z.uuid().nullable(),
    amount_cents: cents,
    refunded_cents: cents,
    currency: z.string().nullable(),
    state: z.enum(UNMATCHED_GIFT_STATES),
    resolution: ResolutionJson.nullable().meta({
      description: 'The latest decision. A failed one leaves the payment unresolved.',
    }),
    created_at: moment,
  })
  .meta({
    id: 'UnmatchedGiftPayment',
    description:
      'A payment of another amount or currency than its gift, of a gift that is paid already, or of no gift.',
  });

const UnmatchedGiftResolve = z
  .strictObject({ resolution: z.enum(GIFT_RESOLUTIONS), note: text(2000) })
  .meta({ id: 'UnmatchedGiftResolve' });

export const unmatchedGiftRoutes = routes('/api/foundation/unmatched-payments', [
  get(
    '/',
    {
      ...foundation,
      summary: 'Payments that are not as their gift expects',
      operationId: 'listUnmatchedGiftPayments',
      rule: by(unmatchedGiftPolicy, 'read'),
      query: UnmatchedFilters,
      response: pageOf(UnmatchedGiftPaymentJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, unmatchedGiftPolicy, 'read');
      const page = await listUnmatched('foundation', query.resolved, pageRequest(query));
      return presentPage(page, query, request, (payment) => UnmatchedGiftPaymentJson.parse(payment));
    },
  ),

  post(
    '/:id/resolve/',
    {
      ...foundation,
      summary: 'Accept or refund an unmatched payment',
      description:
        'accept: the captured amount becomes the gift’s, with its fee. refund: the money is returned, and the gift fails; the refund continues after the answer, and only the provider ends it.',
      operationId: 'resolveUnmatchedGiftPayment',
      rule: by(unmatchedGiftPolicy, 'resolve'),
      params: RowParams,
      body: UnmatchedGiftResolve,
      response: UnmatchedGiftPaymentJson,
      stepUp: 'tenant',
      errors: [
        financesErrors.payment_already_resolved,
        financesErrors.payment_being_refunded,
        financesErrors.payment_other_currency,
        foundationErrors.payment_without_gift,
        foundationErrors.gift_already_paid,
      ],
    },
    async ({ actor, params, body: { resolution, note } }) => {
      authorize(actor, unmatchedGiftPolicy, 'resolve');
      if (resolution === 'accept') await acceptPayment(params.id, note);
      else await refundUnmatched('foundation', params.id, note);
      return UnmatchedGiftPaymentJson.parse(await readUnmatched('foundation', params.id));
    },
  ),
]);
