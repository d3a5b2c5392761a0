import { z } from 'zod';
import { config } from '../../../config.js';
import { listCampaignDonors, readCampaignTerms } from '../../../models/foundation/donations/campaignTerms.js';
import { locateHeroImage } from '../../../models/foundation/campaigns/heroImage.js';
import { giveDonation } from '../../../models/foundation/donations/giveDonation.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { awaitGiftPage, contextOf } from '../public/giving.js';
import { givingRefusals, heroImage } from '../public/routes.js';
import {
  CampaignDonorJson,
  GiftBody,
  GivenGiftJson,
  InternalCampaignParams,
  PublicCampaignJson,
} from '../public/schema.js';
import { sendHeroImage } from './heroImage.js';

/** Everybody in the organization may give to its internal campaigns. */
const internalCampaignPolicy = policy('internal campaign', { read: [anyone], give: [anyone] });

const internal = {
  access: 'tenant',
  tags: ['foundation'],
  params: InternalCampaignParams,
  impersonation: 'closed',
} as const;

export const internalGivingRoutes = routes('/api/foundation/internal/campaigns', [
  get(
    '/:slug/',
    {
      ...internal,
      summary: 'A campaign for the people of the organization',
      operationId: 'getInternalCampaign',
      rule: by(internalCampaignPolicy, 'read'),
      response: PublicCampaignJson,
    },
    ({ actor, params }) => {
      authorize(actor, internalCampaignPolicy, 'read');
      return readCampaignTerms(params.slug, 'internal');
    },
  ),

  get(
    '/:slug/donors/',
    {
      ...internal,
      summary: 'Donors of the last 50 gifts to an internal campaign',
      operationId: 'listInternalCampaignDonors',
      rule: by(internalCampaignPolicy, 'read'),
      response: z.array(CampaignDonorJson),
    },
    ({ actor, params }) => {
      authorize(actor, internalCampaignPolicy, 'read');
      return listCampaignDonors(params.slug, 'internal');
    },
  ),

  get(
    '/:slug/hero-image/',
    {
      ...internal,
      ...heroImage,
      summary: 'The picture of an internal campaign',
      operationId: 'getInternalHeroImage',
      rule: by(internalCampaignPolicy, 'read'),
    },
    async ({ actor, params, request }) => {
      authorize(actor, internalCampaignPolicy, 'read');
      const file = await locateHeroImage(params.slug, 'internal');
      return new AfterCommit(() => sendHeroImage(request, actor.organizationId, file, 'private'));
    },
  ),

  post(
    '/:slug/donate/',
    {
      ...internal,
      throttle: ['default_authenticated', 'donate'],
      summary: 'Give to an internal campaign',
      operationId: 'giveInternalDonation',
      rule: by(internalCampaignPolicy, 'give'),
      body: GiftBody,
      response: GivenGiftJson,
      status: 201,
      errors: givingRefusals,
    },
    async ({ actor, params, body, request }) => {
      authorize(actor, internalCampaignPolicy, 'give');
      const pageUrl = `${config.frontendUrl}/foundation/campaigns/${params.slug}`;
      const context = contextOf(request, { slug: params.slug, visibility: 'internal', pageUrl });
      const donationId = await giveDonation(body, context);
      return new AfterCommit((dispatched) => awaitGiftPage(actor.organizationId, donationId, dispatched));
    },
  ),
]);
