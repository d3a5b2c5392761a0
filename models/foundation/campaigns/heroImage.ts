/** The picture of a campaign, which its page shows. */
import { audit } from '../../database/audit.js';
import { changeRow, lockForEdit } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type LocatedFile, locateFile, releaseFiles } from '../../organizations/files/storedFiles.js';
import { PUBLISHED_CAMPAIGN, type Visibility } from '../donations/campaignTerms.js';
import { Campaign } from './Campaign.js';
import type { ShownCampaign } from './campaigns.js';

/** Gives a campaign a picture, in place of an earlier one. @throws Refusal not_found */
export async function setHeroImage(id: string, fileId: string): Promise<ShownCampaign> {
  await replaceHeroImage(await lockForEdit(Campaign, id), fileId);
  return readRow(Campaign, id);
}

/** Deletes the picture of a campaign. @throws Refusal not_found, also if it has none */
export async function removeHeroImage(id: string): Promise<void> {
  const campaign = await lockForEdit(Campaign, id);
  requireFound(campaign.hero_file_id);
  await replaceHeroImage(campaign, null);
}

async function replaceHeroImage({ id, hero_file_id: former }: Campaign, fileId: string | null): Promise<void> {
  await changeRow(Campaign, id, { hero_file_id: fileId });
  if (former) await releaseFiles([former]);
  const shown = (file: string | null) => ({ has_hero_image: file !== null });
  await audit({
    action: 'campaign.updated',
    subjectType: 'campaign',
    subjectId: id,
    before: shown(former),
    after: { ...shown(fileId), hero_image: fileId },
  });
}

/**
 * Locates the picture of a published campaign.
 * @throws Refusal not_found for a draft, for a campaign with another visibility, and for one without a picture
 */
export async function locateHeroImage(slug: string, visibility: Visibility): Promise<LocatedFile> {
  const found = await firstRow<{ hero_file_id: string | null }>(`SELECT c.hero_file_id ${PUBLISHED_CAMPAIGN}`, [
    slug,
    visibility,
  ]);
  return requireFound(await locateFile(requireFound(found?.hero_file_id)));
}
