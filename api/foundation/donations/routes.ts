import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { type PageText, pageStatement } from '../../../models/database/page.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { cents, day, inOrder, moment, recordId, text } from '../../../models/fields.js';
import { readCaptureRefund } from '../../../models/finances/captures/captureRefund.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { Donation, DONATION_STATUSES } from '../../../models/foundation/donations/Donation.js';
import { donationsPage, listDonations, listEntries } from '../../../models/foundation/donations/listDonations.js';
import { refundGift } from '../../../models/foundation/donations/refundGift.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { donationRefund } from '../../../workflows/contracts/donationRefund.js';
import { pageAsText, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, may, policy } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { foundation } from '../fields.js';

const donationPolicy = policy('donation', { read: [foundationEditor], refund: [foundationAdmin] });

const DonationJson = rowJson(Donation);

const EntryJson = z.object({
  kind: z.enum(['received', 'returned', 'reinstated']),
  amount_cents: cents,
  moved_at: moment,
});
const DonationDetailJson = DonationJson.extend({
  entries: z.array(EntryJson).meta({ description: 'What happened to its money, oldest first.' }),
}).meta({ id: 'DonationDetail' });

const DonationFilters = z
  .object({
    ...pageQuery,
    status: z.enum(DONATION_STATUSES).optional(),
    campaign: recordId.optional(),
    fund: recordId.optional(),
    donor: recordId.optional(),
    from: day.optional().meta({ description: 'First day, in the time zone of the foundation.' }),
    to: day.optional().meta({ description: 'Last day, in the time zone of the foundation.' }),
  })
  .refine(...inOrder('from', 'to'));

const RefundBody = z.strictObject({ reason: text(500).min(3) }).meta({ id: 'DonationRefund' });
const RefundedDonationJson = z
  .object({
    donation: DonationDetailJson,
    refund: z.object({
      id: z.uuid(),
      status: z.enum(['succeeded', 'processing', 'failed']).meta({
        description:
          'processing: the provider has not answered in time, or its bank needs days. failed: the money stays.',
      }),
      failure_code: z.string().nullable(),
    }),
  })
  .meta({ id: 'RefundedDonation' });

const detail = async (id: string) => {
  const entries = await listEntries(id);
  const donation = await readRow(Donation, id);
  return { ...donation, entries: entries.map((entry) => ({ ...entry, moved_at: entry.moved_at.toISOString() })) };
};

export const donationRoutes = routes('/api/foundation/donations', [
  get(
    '/',
    {
      ...foundation,
      summary: 'List gifts, newest first',
      rule: by(donationPolicy, 'read'),
      query: DonationFilters,
      response: pageOf(DonationJson),
      singleMessageRead: {
        statement: ({ query }) => pageStatement(donationsPage(query, pageRequest(query))),
        answer: ({ actor, query, request }, row) =>
          may(actor, donationPolicy, 'read') ? pageAsText(row as unknown as PageText, query, request) : null,
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, donationPolicy, 'read');
      return presentPage(await listDonations(query, pageRequest(query)), query, request, (donation) => donation);
    },
  ),

  get(
    '/:id/',
    {
      ...foundation,
      summary: 'Get a gift with its entries',
      rule: by(donationPolicy, 'read'),
      params: RowParams,
      response: DonationDetailJson,
    },
    ({ actor, params }) => {
      authorize(actor, donationPolicy, 'read');
      return detail(params.id);
    },
  ),

  post(
    '/:id/refund/',
    {
      ...foundation,
      summary: 'Refund a gift',
      description: 'Refunds all that remains of the gift, to the card that paid it. A failed refund can be repeated.',
      operationId: 'refundDonation',
      rule: by(donationPolicy, 'refund'),
      params: RowParams,
      body: RefundBody,
      response: RefundedDonationJson,
      status: 201,
      stepUp: 'tenant',
      errors: [
        foundationErrors.donation_not_refundable,
        foundationErrors.already_refunded,
        financesErrors.refund_in_progress,
      ],
    },
    async ({ actor, params, body }) => {
      authorize(actor, donationPolicy, 'refund');
      const { organizationId } = actor;
      const resolutionId = await refundGift(params.id, body.reason);
      return new AfterCommit(async (dispatched) => {
        await dispatched;
        await waitForProcess(donationRefund.workflowId({ organizationId, captureId: '', resolutionId }));
        const answer = async () => ({
          donation: await detail(params.id),
          refund: await readCaptureRefund(resolutionId),
        });
        return inTenant(organizationId, answer, { readOnly: true });
      });
    },
  ),
]);
