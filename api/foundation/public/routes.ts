import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { get, post, routes } from '../../http/routes.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { donate, listPublicDonors, readGift, sendPublicHeroImage, visitPublicCampaign } from './giving.js';
import {
  CampaignDonorJson,
  CampaignParams,
  GiftBody,
  GiftParams,
  GivenGiftJson,
  PublicCampaignJson,
  PublicGiftJson,
} from './schema.js';

/** Refusals of a gift. */
export const givingRefusals = [
  foundationErrors.campaign_not_open,
  foundationErrors.recurring_not_supported,
  foundationErrors.fee_cover_mismatch,
  foundationErrors.fee_pass_through_off,
  foundationErrors.too_many_failed_payments,
  foundationErrors.payment_page_refused,
  refuse.idempotency_mismatch,
  refuse.unavailable,
];

const publicly = { access: 'public', tags: ['foundation'], impersonation: 'closed' } as const;
const reading = { ...publicly, throttle: ['public_giving'] } as const;

/** Options of the routes that send a picture. */
export const heroImage = {
  description: 'A JPEG, which caches may keep for five minutes. 304 if the client has it.',
  status: 200,
  revalidated: true as const,
  textResponse: 'image/jpeg',
  errors: [fileErrors.storage_unavailable],
};

export const publicGivingRoutes = routes('/api/foundation/public', [
  get(
    '/campaigns/:foundation_id/:slug/',
    {
      ...reading,
      summary: 'A public campaign, with what a form for gifts needs',
      description: 'The same 404 for drafts, internal and unknown campaigns.',
      operationId: 'getPublicCampaign',
      params: CampaignParams,
      response: PublicCampaignJson,
      revalidated: true,
    },
    ({ params }) => visitPublicCampaign({ foundationId: params.foundation_id, slug: params.slug }),
  ),

  get(
    '/campaigns/:foundation_id/:slug/donors/',
    {
      ...reading,
      summary: 'Donors of the last 50 gifts to a public campaign',
      operationId: 'listPublicCampaignDonors',
      params: CampaignParams,
      response: z.array(CampaignDonorJson),
    },
    ({ params }) => listPublicDonors({ foundationId: params.foundation_id, slug: params.slug }),
  ),

  get(
    '/campaigns/:foundation_id/:slug/hero-image/',
    {
      ...reading,
      ...heroImage,
      summary: 'The picture of a public campaign',
      operationId: 'getPublicHeroImage',
      params: CampaignParams,
    },
    ({ params, request }) => sendPublicHeroImage(request, { foundationId: params.foundation_id, slug: params.slug }),
  ),

  post(
    '/campaigns/:foundation_id/:slug/donate/',
    {
      ...publicly,
      throttle: ['donate'],
      summary: 'Give to a public campaign',
      description:
        'Records the gift and opens a page of the payment provider, on which the donor pays. While the provider does not answer, the answer is 503; the same idempotency_key finds the same gift.',
      operationId: 'giveDonation',
      params: CampaignParams,
      body: GiftBody,
      response: GivenGiftJson,
      status: 201,
      errors: givingRefusals,
    },
    ({ params, body, request }) => donate(request, { foundationId: params.foundation_id, slug: params.slug }, body),
  ),

  get(
    '/donations/:id/',
    {
      ...reading,
      summary: 'The state of a gift, without its donor',
      description: 'Has the payment provider asked about an unpaid gift.',
      operationId: 'getPublicDonation',
      params: GiftParams,
      response: PublicGiftJson,
      writes: true,
    },
    ({ params, request }) => readGift(request, params.id),
  ),
]);
