/** Finds the public page on which the donor of a gift can give again. */
import { firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { tenantOf } from '../tenantOf.js';

interface GiftCampaign {
  foundation_id: string;
  slug: string;
}

/**
 * Finds the campaign of a gift.
 * @returns null for a gift to an internal campaign, which has no public page
 */
export async function readGiftCampaign(donationId: string): Promise<GiftCampaign | null> {
  const organizationId = await tenantOf('donation', donationId);
  if (!organizationId) return null;
  const found = await inTenant(
    organizationId,
    () =>
      firstRow<GiftCampaign & Record<string, unknown>>(
        `SELECT f.id AS foundation_id, c.slug FROM donations d
           JOIN campaigns c ON c.organization_id = d.organization_id AND c.id = d.campaign_id
           JOIN foundation_configs f ON f.organization_id = d.organization_id
          WHERE d.id = $1 AND c.visibility = 'public'`,
        [donationId],
      ),
    { readOnly: true },
  );
  return found ?? null;
}
