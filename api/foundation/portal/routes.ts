import { refuse } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { changeOwnDetails } from '../../../models/foundation/portal/changeOwnDetails.js';
import { isDonorLinkOpen } from '../../../models/foundation/portal/donorSessions.js';
import { readOwnPledge, readOwnReceipt } from '../../../models/foundation/portal/ownRecords.js';
import { Answer, get, post, type RequestFacts, routes } from '../../http/routes.js';
import { money } from '../../../models/finances/money.js';
import { changePledgeAmount, readAmountTerms } from '../../../models/foundation/pledges/changeAmount.js';
import { cancelPledge, pausePledge, resumePledge } from '../../../models/foundation/pledges/movePledge.js';
import { CHARGE_IN_FLIGHT } from '../pledges/pages.js';
import { sendReceiptPdf } from '../receipts/sendReceiptPdf.js';
import { ButtonForm, DetailsForm, LinkForm, requireDetails, requireEmail } from './form.js';
import { requestLink } from './links.js';
import { leadHomePage, linkPage, linkSentPage, signInPage } from './pages.js';
import { AmountForm, PauseForm, readAmount, readResumeDay } from './pledges.js';
import { portalRefusalPage } from './refusalPage.js';
import { FoundationParams, IgnoredQuery, LinkParams, LinkRequestBody, ListQuery, OwnReceiptParams } from './schema.js';
import { ownHomePage, ownListPage } from './sections.js';
import { asDonor, inPortal, isSignedIn, signIn, signOut } from './session.js';

export const donorLinkRoutes = routes('/api/foundation/public/portal', [
  post(
    '/:foundation_id/links/',
    {
      access: 'public',
      tags: ['foundation'],
      impersonation: 'closed',
      throttle: ['donor_link'],
      summary: 'Request a link to the own pages of a donor',
      description:
        'The answer and its timing are the same whether or not the address is that of a donor. The link is mailed. It works once, for 15 minutes.',
      operationId: 'requestDonorLink',
      params: FoundationParams,
      body: LinkRequestBody,
      status: 202,
    },
    ({ params, body, request }) => requestLink(request, params.foundation_id, body.email),
  ),
]);

const page = {
  access: 'public',
  tags: ['foundation'],
  impersonation: 'closed',
  throttle: ['public_giving'],
  status: 200,
  textResponse: 'text/html',
  refusalPage: portalRefusalPage,
} as const;
const readPage = { ...page, params: FoundationParams, query: IgnoredQuery } as const;
const form = { ...page, params: FoundationParams, query: IgnoredQuery, rawBody: true } as const;

const pledgeRefusals = [refuse.not_authenticated, refuse.not_found, foundationErrors.invalid_pledge_transition];

/**
 * Changes a pledge of the signed-in donor, and leads back to the home page.
 * @param move returns the message to the donor
 */
async function movePledge(
  request: RequestFacts,
  { foundation_id, id }: { foundation_id: string; id: string },
  move: (pledgeId: string) => Promise<string>,
) {
  const message = await asDonor(request, foundation_id, { readOnly: false }, async ({ donor }) => {
    await readOwnPledge({ donorId: donor.id }, id);
    return move(id);
  });
  return leadHomePage({ id: foundation_id }, message);
}

export const donorPageRoutes = routes('/giving/:foundation_id', [
  get(
    '/',
    {
      ...readPage,
      summary: 'Own pages of a donor, or the form that requests a link to them',
      description: 'Complete without JavaScript. The cookie `donor_session` says who the donor is.',
      operationId: 'getDonorHomePage',
    },
    ({ params, request }) =>
      inPortal(request, params.foundation_id, async (portal) =>
        isSignedIn(portal) ? ownHomePage(portal) : signInPage(portal.foundation),
      ),
  ),

  post(
    '/links/',
    {
      ...form,
      throttle: ['donor_link'],
      summary: 'Send the form that requests a link',
      description: 'The answer is the same for every address.',
      operationId: 'sendDonorLinkForm',
      form: LinkForm,
      status: 202,
    },
    async ({ params, request }) => {
      const email = requireEmail(request);
      await requestLink(request, params.foundation_id, email);
      return linkSentPage({ id: params.foundation_id }, email);
    },
  ),

  get(
    '/links/:token/',
    {
      ...readPage,
      params: LinkParams,
      summary: 'Page of a mailed link',
      description:
        'Opening it changes nothing. Its button signs in. A used or expired link shows the form for a new one.',
      operationId: 'getDonorLinkPage',
      errors: [foundationErrors.donor_link_invalid],
    },
    ({ params: { foundation_id, token }, request }) =>
      inPortal(request, foundation_id, async ({ foundation }) => {
        if (!(await isDonorLinkOpen(token))) throw foundationErrors.donor_link_invalid();
        return linkPage(foundation, token);
      }),
  ),

  post(
    '/links/:token/',
    {
      ...form,
      params: LinkParams,
      summary: 'Sign in with a mailed link',
      description: 'Uses the link, and sets the cookie `donor_session` for two hours.',
      operationId: 'createDonorSession',
      form: ButtonForm,
      errors: [foundationErrors.donor_link_invalid],
    },
    async ({ params: { foundation_id, token }, request }) => {
      const cookie = await signIn(request, foundation_id, token);
      const { extra } = leadHomePage({ id: foundation_id }, 'You are signed in.');
      return new Answer(undefined, { ...extra, cookies: [cookie] });
    },
  ),

  get(
    '/gifts/',
    {
      ...readPage,
      query: ListQuery,
      summary: "A donor's own gifts, newest first",
      operationId: 'getDonorGiftsPage',
      errors: [refuse.not_authenticated, refuse.page_not_found],
    },
    ({ params, query, request }) =>
      asDonor(request, params.foundation_id, { readOnly: true }, (portal) => ownListPage(portal, 'gifts', query.page)),
  ),

  get(
    '/receipts/',
    {
      ...readPage,
      query: ListQuery,
      summary: "A donor's own valid receipts, newest first",
      operationId: 'getDonorReceiptsPage',
      errors: [refuse.not_authenticated, refuse.page_not_found],
    },
    ({ params, query, request }) =>
      asDonor(request, params.foundation_id, { readOnly: true }, (portal) =>
        ownListPage(portal, 'receipts', query.page),
      ),
  ),

  get(
    '/receipts/:id/pdf/',
    {
      ...readPage,
      params: OwnReceiptParams,
      summary: "A donor's own valid receipt as a PDF",
      operationId: 'getDonorReceiptPdf',
      textResponse: 'application/pdf',
      errors: [refuse.not_authenticated],
    },
    async ({ params: { foundation_id, id }, request }) => {
      const receipt = await asDonor(request, foundation_id, { readOnly: true }, ({ donor }) =>
        readOwnReceipt({ donorId: donor.id }, id),
      );
      return sendReceiptPdf(receipt);
    },
  ),

  post(
    '/details/',
    {
      ...form,
      summary: 'Change the name, and whether future gifts are anonymous',
      operationId: 'sendDonorDetailsForm',
      form: DetailsForm,
      errors: [refuse.not_authenticated, foundationErrors.donor_name_corrected],
    },
    async ({ params, request }) => {
      await asDonor(request, params.foundation_id, { readOnly: false }, ({ donor }) =>
        changeOwnDetails(donor.id, requireDetails(request)),
      );
      return leadHomePage({ id: params.foundation_id }, 'Your details are saved.');
    },
  ),

  post(
    '/pledges/:id/amount/',
    {
      ...form,
      params: OwnReceiptParams,
      summary: "Change the amount of a donor's own pledge from the next period on",
      operationId: 'sendPledgeAmountForm',
      form: AmountForm,
      errors: pledgeRefusals,
    },
    ({ params, request }) =>
      movePledge(request, params, async (id) => {
        const terms = await readAmountTerms(id);
        const cents = readAmount(request, terms);
        await changePledgeAmount(id, cents);
        return `From the next gift on, you give ${money(cents, terms.currency)}.`;
      }),
  ),

  post(
    '/pledges/:id/pause/',
    {
      ...form,
      params: OwnReceiptParams,
      summary: "Pause a donor's own pledge",
      operationId: 'sendPledgePauseForm',
      form: PauseForm,
      errors: pledgeRefusals,
    },
    ({ params, request }) =>
      movePledge(request, params, async (id) => {
        await pausePledge(id, { resumeOn: readResumeDay(request) });
        return 'It is paused.';
      }),
  ),

  post(
    '/pledges/:id/resume/',
    {
      ...form,
      params: OwnReceiptParams,
      summary: "Resume a donor's own pledge",
      operationId: 'sendPledgeResumeForm',
      form: ButtonForm,
      errors: pledgeRefusals,
    },
    ({ params, request }) =>
      movePledge(request, params, async (id) => {
        await resumePledge(id);
        return 'It goes on.';
      }),
  ),

  post(
    '/pledges/:id/cancel/',
    {
      ...form,
      params: OwnReceiptParams,
      summary: "Cancel a donor's own pledge",
      operationId: 'sendPledgeCancelForm',
      form: ButtonForm,
      errors: pledgeRefusals,
    },
    ({ params, request }) =>
      movePledge(request, params, async (id) => {
        const { charge_in_flight } = await cancelPledge(id, { by: 'donor' });
        const inFlight = charge_in_flight ? ` ${CHARGE_IN_FLIGHT}` : '';
        return `It is cancelled. We have sent you a mail about it.${inFlight}`;
      }),
  ),

  post(
    '/sign-out/',
    {
      ...form,
      summary: 'End the session of a donor',
      operationId: 'endDonorSession',
      form: ButtonForm,
    },
    async ({ params, request }) => {
      const cookie = await signOut(request, params.foundation_id);
      const { extra } = leadHomePage({ id: params.foundation_id }, 'You are signed out.');
      return new Answer(undefined, { ...extra, cookies: [cookie] });
    },
  ),
]);
