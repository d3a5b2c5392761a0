import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { type Context, get, post, routes } from '../../http/routes.js';
import { donate, readPublicCampaign, visitPublicCampaign } from '../public/giving.js';
import { givingRefusals } from '../public/routes.js';
import { CampaignParams } from '../public/schema.js';
import { emptyGift, GiftForm, offersOf, readTypedGift, requireGift, requireKnownFields } from './form.js';
import { campaignPage, onwardPage, reviewPage } from './pages.js';
import { giftRefusalPage } from './refusalPage.js';

const shared = {
  access: 'public',
  tags: ['foundation'],
  params: CampaignParams,
  status: 200,
  textResponse: 'text/html',
  refusalPage: giftRefusalPage,
} as const;

/**
 * Ignores query parameters, because links carry added ones, for example to count visitors, and providers add some when
 * they send a donor back.
 */
const IgnoredQuery = z.looseObject({}).transform(() => undefined);

type Sent = Pick<Context<'public', typeof CampaignParams, undefined, undefined>, 'params' | 'request'>;

/** @throws Refusal as `donate`; validation_error, conflict */
async function sendForm({ params: { foundation_id: foundationId, slug }, request }: Sent) {
  requireKnownFields(request);
  const form = readTypedGift(request);
  const campaign = await readPublicCampaign({ foundationId, slug });
  if (form.change !== '') return campaignPage(campaign, form);
  const gift = requireGift(form, campaign);
  const baseCents = gift.amount_cents;
  if (form.pay === '') {
    if (!campaign.accepts_donations) throw foundationErrors.campaign_not_open();
    return reviewPage(campaign, form, baseCents);
  }
  const offer = offersOf(baseCents, campaign).find(({ amountCents }) => String(amountCents) === form.pay);
  if (!offer) throw refuse.conflict('The amounts have changed. Check them, and pay again.');
  const covering = offer.coversFee ? { covers_fees: true, base_amount_cents: baseCents } : {};
  const body = { ...gift, ...covering, amount_cents: offer.amountCents };
  const { donation_id, status, checkout_url } = await donate(request, { foundationId, slug }, body);
  if (checkout_url !== null) return onwardPage(checkout_url);
  // The donor sent the form again after the payment page of the gift had closed.
  if (status !== 'failed') return onwardPage(`/donation-success/?donation_id=${donation_id}`);
  throw refuse.conflict('The payment page is no longer open, and nothing was charged. Pay again to open a new one.');
}

export const donatePageRoutes = routes('/donate/:foundation_id/:slug', [
  get(
    '/',
    {
      ...shared,
      summary: 'Page of a public campaign, with a form for gifts',
      description:
        'Complete without JavaScript. The same 404 page for drafts, internal and unknown campaigns. Links may add parameters, which are ignored.',
      operationId: 'getDonatePage',
      query: IgnoredQuery,
      throttle: ['public_giving'],
    },
    async ({ params: { foundation_id: foundationId, slug } }) =>
      campaignPage(await visitPublicCampaign({ foundationId, slug }), emptyGift()),
  ),

  post(
    '/',
    {
      ...shared,
      summary: 'Send the form for gifts',
      description:
        'Answers with a review of the gift, and, once the donor has chosen `pay` there, with a page that leads to the payment provider. A refused form is shown again.',
      operationId: 'sendDonatePage',
      query: IgnoredQuery,
      rawBody: true,
      form: GiftForm,
      throttle: ['donate'],
      errors: [...givingRefusals, refuse.conflict],
    },
    sendForm,
  ),
]);
