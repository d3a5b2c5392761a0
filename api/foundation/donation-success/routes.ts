import { z } from 'zod';
import { refuse, requireFound, type Refusal } from '../../../models/errors.js';
import { recordId } from '../../../models/fields.js';
import { readGiftCampaign } from '../../../models/foundation/donations/readGiftCampaign.js';
import { get, type RequestFacts, routes } from '../../http/routes.js';
import { readGift } from '../public/giving.js';
import { giftPage, laterPage, unknownGiftPage } from './page.js';

/** Accepts unknown parameters, because providers add their own. The handler treats a wrong id like an unknown one. */
const SuccessQuery = z
  .looseObject({
    donation_id: z.unknown().optional().meta({ description: 'The id of the gift.', type: 'string', format: 'uuid' }),
    look: z.unknown().optional().meta({ description: 'How often the page has refreshed itself.', type: 'integer' }),
  })
  .transform(({ donation_id, look }) => ({
    donationId: recordId.safeParse(donation_id).data,
    look: z.coerce.number().int().min(0).max(1_000).catch(0).parse(look),
  }));

const AT_LATER = new Set([409, 429, 503]);

/** If a gift cannot be read at the moment, the page tries again later. Every other refusal shows the neutral page. */
const refusalPage = ({ status, message }: Refusal, { raw }: RequestFacts) =>
  AT_LATER.has(status) || status >= 500 ? laterPage(message, raw.originalUrl) : unknownGiftPage();

export const donationSuccessRoutes = routes('/donation-success', [
  get(
    '/',
    {
      access: 'public',
      tags: ['foundation'],
      throttle: ['public_giving'],
      summary: 'Page to which a donor returns from the payment provider',
      description:
        'Says what is known of the gift, has the payment provider asked about an unpaid one, and refreshes itself until the outcome is known.',
      operationId: 'getDonationSuccessPage',
      query: SuccessQuery,
      status: 200,
      textResponse: 'text/html',
      writes: true,
      refusalPage,
      errors: [refuse.not_found],
    },
    async ({ query: { donationId, look }, request }) => {
      const gift = await readGift(request, requireFound(donationId));
      const campaign = gift.status === 'failed' ? await readGiftCampaign(gift.id) : null;
      return giftPage(gift, look, campaign && `/donate/${campaign.foundation_id}/${campaign.slug}`);
    },
  ),
]);
