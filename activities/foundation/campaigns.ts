import { inTenant } from '../../models/database/tenancy.js';
import { closeEndedCampaigns, hasEndedCampaigns } from '../../models/foundation/campaigns/closeEndedCampaigns.js';
import { organizationsByDay } from '../../models/organizations/organizationsByDay.js';

/**
 * Closes the ended campaigns of one batch of organizations. A second run finds no campaign left to close.
 * @param after the cursor of the batch
 * @returns the cursor of the next batch; null after the last one
 */
export async function closeNextCampaigns(after: string | null): Promise<string | null> {
  const { organizations, next } = await organizationsByDay(after, hasEndedCampaigns);
  for (const { organizationId } of organizations) await inTenant(organizationId, closeEndedCampaigns);
  return next;
}
