/** Operations for giving. The JSON routes and the served HTML pages share them. */
import { LRUCache } from 'lru-cache';
import { config } from '../../../config.js';
import { readPipelined } from '../../../models/database/pipelinedTransaction.js';
import { currentOrganization } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { refuse, requireFound } from '../../../models/errors.js';
import {
  campaignStatement,
  listCampaignDonors,
  type PublicCampaign,
  presentCampaign,
  type Visibility,
} from '../../../models/foundation/donations/campaignTerms.js';
import { giveDonation } from '../../../models/foundation/donations/giveDonation.js';
import { readGivenGift, readPublicGift, requestGiftLook } from '../../../models/foundation/donations/readGift.js';
import { locateHeroImage } from '../../../models/foundation/campaigns/heroImage.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { tenantOf } from '../../../models/foundation/tenantOf.js';
import { awaitedTransaction, ownTransaction } from '../../http/dispatch.js';
import { readUntil } from '../../http/readUntil.js';
import type { RequestFacts } from '../../http/routes.js';
import { keyOf } from '../../http/throttles/keys.js';
import { spendingOnTarget } from '../../http/throttles/spend.js';
import { sendHeroImage } from '../campaigns/heroImage.js';
import { foundationPreamble, inFoundation } from '../inFoundation.js';
import type { GiftInput } from './schema.js';

/** A public campaign in an address. */
export interface CampaignAddress {
  foundationId: string;
  slug: string;
}

/** @throws Refusal not_found for a draft, an internal or unknown campaign, and a suspended organization alike */
export async function readPublicCampaign({ foundationId, slug }: CampaignAddress): Promise<PublicCampaign> {
  // Takes one round trip. For an unknown foundation id no tenant is set, so no campaign is found.
  const [, row] = await readPipelined(foundationPreamble(foundationId), campaignStatement(slug, 'public'));
  return presentCampaign(row);
}

/**
 * Public campaigns that this process has read within CAMPAIGN_CACHE_MS. However many people open a campaign at once, it
 * costs one query in that time.
 */
const recentCampaigns = new LRUCache<string, PublicCampaign, CampaignAddress>({
  max: 1_000,
  fetchMethod: (_key, _stale, { context }) => readPublicCampaign(context),
});

/**
 * Reads a public campaign for a visitor, who may see a change up to CAMPAIGN_CACHE_MS late. Gifts are checked against
 * the database.
 * @throws Refusal not_found, as `readPublicCampaign`
 */
export function visitPublicCampaign(address: CampaignAddress): Promise<PublicCampaign> {
  const ttl = config.CAMPAIGN_CACHE_MS;
  if (ttl === 0) return readPublicCampaign(address);
  return recentCampaigns.forceFetch(`${address.foundationId}/${address.slug}`, { ttl, context: address });
}

/** @throws Refusal not_found, as `readPublicCampaign` */
export const listPublicDonors = ({ foundationId, slug }: CampaignAddress) =>
  inFoundation(foundationId, { readOnly: true }, () => listCampaignDonors(slug, 'public'));

/** Sends the picture of a public campaign. @throws Refusal not_found, storage_unavailable */
export async function sendPublicHeroImage(request: RequestFacts, { foundationId, slug }: CampaignAddress) {
  const found = await inFoundation(foundationId, { readOnly: true }, async () => ({
    organizationId: currentOrganization(),
    file: await locateHeroImage(slug, 'public'),
  }));
  return sendHeroImage(request, found.organizationId, found.file, 'public');
}

/**
 * Accepts a gift to a public campaign, and waits for its payment page.
 * @throws Refusal as `giveDonation` and `awaitGiftPage`
 */
export async function donate(request: RequestFacts, { foundationId, slug }: CampaignAddress, gift: GiftInput) {
  const { options, dispatch } = awaitedTransaction(request);
  const pageUrl = `${config.givingUrl}/donate/${foundationId}/${slug}`;
  const given = await inFoundation(foundationId, options, async () => {
    const donationId = await giveDonation(gift, contextOf(request, { slug, visibility: 'public', pageUrl }));
    return { donationId, organizationId: currentOrganization() };
  });
  return awaitGiftPage(given.organizationId, given.donationId, dispatch());
}

/** Returns the context of a gift, from the request. */
export const contextOf = (
  request: RequestFacts,
  campaign: { slug: string; visibility: Visibility; pageUrl: string },
) => ({
  ...campaign,
  network: keyOf('ip', request.raw, false) as string,
  spendOnEmail: (emailDigest: string) => spendingOnTarget('donate_email', emailDigest),
});

/**
 * Waits up to PAY_WAIT_SECONDS until the process has opened the page of a gift.
 * @throws Refusal payment_page_refused (400: nothing was opened), unavailable (503: a repeated request with the same
 *   idempotency key finds the same gift)
 */
export async function awaitGiftPage(organizationId: string, donationId: string, dispatched: Promise<void>) {
  const deadline = Date.now() + config.PAY_WAIT_SECONDS * 1000;
  await dispatched;
  const { is_known, is_refused, expires_at, ...gift } = await readUntil(
    deadline,
    () => inTenant(organizationId, () => readGivenGift(donationId), { readOnly: true }),
    (given) => given.is_known,
  );
  if (is_refused) throw foundationErrors.payment_page_refused();
  if (!is_known)
    throw refuse.unavailable('The payment provider does not answer. Nothing was charged.', undefined, {
      'Retry-After': '10',
    });
  return { ...gift, expires_at: expires_at?.toISOString() ?? null };
}

/**
 * Reads the state of a gift by its id, and asks the process of its page to look at the provider.
 * @throws Refusal not_found
 */
export async function readGift(request: RequestFacts, donationId: string) {
  return inTenant(
    requireFound(await tenantOf('donation', donationId)),
    async () => {
      await requestGiftLook(donationId);
      return readPublicGift(donationId);
    },
    ownTransaction(request),
  );
}
