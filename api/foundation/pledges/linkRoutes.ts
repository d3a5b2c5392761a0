import { z } from 'zod';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse, requireFound, type Refusal } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { type LinkPurpose, openPledgeToken, pledgeLink } from '../../../models/foundation/pledges/links.js';
import { tenantOf } from '../../../models/foundation/tenantOf.js';
import { cancelPledgeByLink } from '../../../models/foundation/pledges/movePledge.js';
import { openPeriodPage, readDonorPledge } from '../../../models/foundation/pledges/openPeriodPage.js';
import { awaitedTransaction } from '../../http/dispatch.js';
import { get, post, type RequestFacts, routes } from '../../http/routes.js';
import { onwardPage } from '../donate/pages.js';
import { awaitGiftPage } from '../public/giving.js';
import { cancelledPage, cancelPage, cardPage, refusedLinkPage, unknownLinkPage } from './pages.js';

const Empty = z
  .object({})
  .meta({ id: 'PledgeLinkForm', description: 'A form without fields: its button is the answer.' });

const refusalPage = ({ status, message }: Refusal, { raw }: RequestFacts) =>
  status === 404 || status === 400 ? unknownLinkPage() : refusedLinkPage(message, raw.path);

const shared = {
  access: 'public',
  tags: ['foundation'],
  params: z.object({ token: z.string().max(200) }),
  status: 200,
  textResponse: 'text/html',
  refusalPage,
} as const;
const reading = { ...shared, throttle: ['public_giving' as const], errors: [refuse.not_found] };
const sending = { ...shared, rawBody: true, form: Empty, throttle: ['donate' as const] };

/** A pledge that a signed link names, and its tenant. */
interface LinkedPledge {
  pledgeId: string;
  organizationId: string;
}

/**
 * @throws Refusal not_found for a wrong signature; and for a suspended organization, unless the link cancels the pledge:
 * donors can stop giving at any time
 */
async function openLink(purpose: LinkPurpose, token: string): Promise<LinkedPledge> {
  const pledgeId = requireFound(openPledgeToken(purpose, token));
  const maySuspended = purpose === 'cancel';
  return { pledgeId, organizationId: requireFound(await tenantOf('pledge', pledgeId, { maySuspended })) };
}

const readLinked = ({ organizationId, pledgeId }: LinkedPledge) =>
  inTenant(organizationId, () => readDonorPledge(pledgeId), { readOnly: true });

/** Runs a change of the pledge, and dispatches its intents. @returns the result, and the end of the dispatch */
async function change<T>({ organizationId }: LinkedPledge, request: RequestFacts, work: () => Promise<T>) {
  const { options, dispatch } = awaitedTransaction(request);
  const result = await inTenant(organizationId, work, options);
  return { result, dispatched: dispatch() };
}

export const pledgeLinkRoutes = routes('/giving/pledges/:token', [
  get(
    '/',
    {
      ...reading,
      summary: 'Page that asks whether to cancel a pledge',
      description: 'For the signed link in each mail about the pledge. Opening it changes nothing.',
      operationId: 'getPledgeCancelPage',
    },
    async ({ params }) => cancelPage(await readLinked(await openLink('cancel', params.token))),
  ),

  post(
    '/',
    {
      ...sending,
      summary: 'Cancel the pledge of a mailed link',
      description: 'May be repeated.',
      operationId: 'cancelPledgeByLink',
      errors: [refuse.not_found],
    },
    async ({ params, request }) => {
      const linked = await openLink('cancel', params.token);
      const { result } = await change(linked, request, () => cancelPledgeByLink(linked.pledgeId));
      return cancelledPage(await readLinked(linked), result.charge_in_flight);
    },
  ),

  get(
    '/card/',
    {
      ...reading,
      summary: 'Page on which a donor pays the open period of a pledge with another card',
      description: 'For the signed link in the mail after a decline. Opening it changes nothing.',
      operationId: 'getPledgeCardPage',
    },
    async ({ params }) => cardPage(await readLinked(await openLink('pay', params.token))),
  ),

  post(
    '/card/',
    {
      ...sending,
      summary: 'Open a payment page for the open period of a pledge',
      description:
        'The provider keeps the card that is entered there. While the page is open, the kept card is not charged.',
      operationId: 'payPledgeByLink',
      errors: [
        refuse.not_found,
        refuse.unavailable,
        foundationErrors.invalid_pledge_transition,
        foundationErrors.gift_being_charged,
        foundationErrors.payment_page_refused,
      ],
    },
    async ({ params, request }) => {
      const linked = await openLink('pay', params.token);
      const { organizationId, pledgeId } = linked;
      const { result: donationId, dispatched } = await change(linked, request, () =>
        openPeriodPage(pledgeId, pledgeLink('pay', pledgeId)),
      );
      const { checkout_url } = await awaitGiftPage(organizationId, donationId, dispatched);
      return onwardPage(checkout_url ?? `/donation-success/?donation_id=${donationId}`);
    },
  ),
]);
