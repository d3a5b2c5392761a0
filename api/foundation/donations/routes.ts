import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { type PageText, pageStatement } from '../../../models/database/page.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { cents, day, email, idempotencyKey, inOrder, moment, name, recordId, text } from '../../../models/fields.js';
import { readCaptureRefund } from '../../../models/finances/captures/captureRefund.js';
import { financesErrors } from '../../../models/finances/errors.js';
import {
  Donation,
  DONATION_METHODS,
  DONATION_STATUSES,
  OFFLINE_METHODS,
} from '../../../models/foundation/donations/Donation.js';
import { donationsPage, listDonations, listEntries } from '../../../models/foundation/donations/listDonations.js';
import { auditExport, exportDonations } from '../../../models/foundation/donations/exportDonations.js';
import { recordOfflineGift } from '../../../models/foundation/donations/recordOfflineGift.js';
import { refundGift } from '../../../models/foundation/donations/refundGift.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { donationRefund } from '../../../workflows/contracts/donationRefund.js';
import { csvAnswer } from '../../http/csvAnswer.js';
import { pageAsText, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, may, policy } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { foundation } from '../fields.js';
import { donationsTable } from './table.js';

const donationPolicy = policy('donation', {
  read: [foundationEditor],
  record: [foundationEditor],
  refund: [foundationAdmin],
  export: [foundationAdmin],
});

const DonationJson = rowJson(Donation);

const EntryJson = z.object({
  kind: z.enum(['received', 'returned', 'reinstated']),
  amount_cents: cents,
  moved_at: moment,
});
const DonationDetailJson = DonationJson.extend({
  entries: z.array(EntryJson).meta({ description: 'What happened to its money, oldest first.' }),
}).meta({ id: 'DonationDetail' });

const filters = {
  status: z.enum(DONATION_STATUSES).optional(),
  campaign: recordId.optional(),
  fund: recordId.optional(),
  donor: recordId.optional(),
  from: day.optional().meta({ description: 'First day, in the time zone of the foundation.' }),
  to: day.optional().meta({ description: 'Last day, in the time zone of the foundation.' }),
};
const DonationFilters = z.object({ ...pageQuery, ...filters }).refine(...inOrder('from', 'to'));
const ExportFilters = z
  .object({ ...filters, method: z.enum(DONATION_METHODS).optional() })
  .refine(...inOrder('from', 'to'));

/** Far above the maximum of a gift online: a check or a bank transfer may be large. */
const MAX_OFFLINE_CENTS = 99_999_999_999;

const OfflineGiftBody = z
  .strictObject({
    email,
    first_name: name(100),
    last_name: name(100),
    amount_cents: z.int().min(1).max(MAX_OFFLINE_CENTS).meta({ example: 25_000 }),
    received_on: day.meta({
      description: 'Today or earlier, in the time zone of the foundation. Decides the tax year.',
    }),
    method: z.enum(OFFLINE_METHODS).meta({ description: 'A donor_advised_fund gets no receipt.' }),
    fund: recordId,
    campaign: recordId.nullish(),
    send_receipt: z.boolean().meta({ description: 'Whether the receipt is mailed. It is issued in any case.' }),
    is_anonymous: z.boolean().default(true).meta({
      description:
        'Whether the public list of donors shows the gift as Anonymous. Send false only if the donor agrees.',
    }),
    idempotency_key: idempotencyKey,
  })
  .meta({ id: 'OfflineGift' });

const RefundBody = z
  .strictObject({
    reason: text(500).min(3),
    cancel_pledge: z.boolean().default(false).meta({ description: 'Cancels the pledge of the gift as well.' }),
  })
  .meta({ id: 'DonationRefund' });
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
    '/export/',
    {
      ...foundation,
      summary: 'Export gifts as CSV, newest first',
      description:
        'With the filters of the list, and `method`. UTF-8 with a byte order mark; amounts are exact decimal numbers. A text that a spreadsheet would take for a formula begins with an apostrophe. An error on the way breaks the connection, so a complete answer is a complete export. Each export is in the audit log.',
      operationId: 'exportDonations',
      rule: by(donationPolicy, 'export'),
      query: ExportFilters,
      status: 200,
      textResponse: 'text/csv',
      // It writes to the audit log.
      writes: true,
    },
    async ({ actor, query }) => {
      authorize(actor, donationPolicy, 'export');
      await auditExport(query);
      const day = new Date().toISOString().slice(0, 10);
      return csvAnswer(`gifts-${day}`, donationsTable(exportDonations(actor.organizationId, query)));
    },
  ),

  post(
    '/offline/',
    {
      ...foundation,
      summary: 'Record a gift that was received without the payment provider',
      description:
        'The gift is completed at once, without a fee, and counts in the year of `received_on`. The same key and body find the same gift.',
      operationId: 'recordOfflineDonation',
      rule: by(donationPolicy, 'record'),
      body: OfflineGiftBody,
      response: DonationDetailJson,
      status: 201,
      errors: [
        refuse.idempotency_mismatch,
        foundationErrors.foundation_not_configured,
        foundationErrors.foundation_incomplete,
      ],
    },
    async ({ actor, body }) => {
      authorize(actor, donationPolicy, 'record');
      return detail(await recordOfflineGift(body));
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
      description:
        'Refunds all that remains of the gift, to the card that paid it. A failed refund can be repeated. For an offline gift, it records that the foundation has returned the money.',
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
      const { id: resolutionId, isComplete } = await refundGift(params.id, {
        reason: body.reason,
        cancelsPledge: body.cancel_pledge,
      });
      if (isComplete) {
        const refund = { id: resolutionId, status: 'succeeded' as const, failure_code: null };
        return { donation: await detail(params.id), refund };
      }
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
