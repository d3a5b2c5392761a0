/** Creates, changes and deletes campaigns. A campaign begins as a draft and can be changed in any status. */
import { createRow, type Edit, editRow, lockForEdit, type NewRow, removeRow } from '../../database/model/change.js';
import { findRow, loadIfExists, readRow, type ShownRow } from '../../database/model/read.js';
import { invalid } from '../../errors.js';
import { releaseFiles } from '../../organizations/files/storedFiles.js';
import { FoundationBulletin } from '../bulletins/FoundationBulletin.js';
import { readConfig } from '../config/readConfig.js';
import { foundationErrors } from '../errors.js';
import { Campaign } from './Campaign.js';
import { Fund } from './Fund.js';

export type ShownCampaign = ShownRow<typeof Campaign>;
type NewCampaign = NewRow<(typeof Campaign)['definition']['columns']>;

/**
 * Creates a campaign as a draft.
 * @param campaign without `fund_id`, its gifts go to the default fund
 * @throws Refusal duplicate, validation_error
 */
export async function createCampaign({
  fund_id,
  ...campaign
}: Omit<NewCampaign, 'fund_id'> & { fund_id?: string | undefined }): Promise<ShownCampaign> {
  await requireAmountsWithinLimits(campaign.suggested_amounts);
  const fund = await requireActiveFund(fund_id);
  const { id } = await createRow(Campaign, { ...campaign, fund_id: fund.id });
  return readRow(Campaign, id);
}

/** Changes a campaign. @throws Refusal not_found, stale_version, duplicate, validation_error */
export async function changeCampaign(id: string, edit: Edit<Campaign>): Promise<ShownCampaign> {
  const campaign = await lockForEdit(Campaign, id);
  if (edit.slug !== undefined && edit.slug !== campaign.slug && campaign.status !== 'draft')
    throw invalid('slug', 'Cannot change after the campaign is published, because links to the campaign contain it.');
  if (edit.suggested_amounts) await requireAmountsWithinLimits(edit.suggested_amounts);
  if (edit.fund_id !== undefined && edit.fund_id !== campaign.fund_id) await requireActiveFund(edit.fund_id);
  await editRow(campaign, edit);
  return readRow(Campaign, id);
}

/** Deletes a draft. @throws Refusal not_found, invalid_campaign_transition */
export async function removeCampaign(id: string): Promise<void> {
  const { status } = await lockForEdit(Campaign, id);
  if (status !== 'draft')
    throw foundationErrors.invalid_campaign_transition('Only drafts can be deleted. Close the campaign instead.');
  if (await findRow(FoundationBulletin, { campaign_id: id }))
    throw foundationErrors.invalid_campaign_transition(
      'A bulletin has this campaign as its audience. Delete the bulletin or change its audience first.',
    );
  const { hero_file_id } = await removeRow(Campaign, id);
  if (hero_file_id) await releaseFiles([hero_file_id]);
}

/**
 * Returns a fund after checking that it is active.
 * @param id absent: the default fund
 * @throws Refusal validation_error for the field of the fund
 */
export async function requireActiveFund(id: string | undefined): Promise<Fund> {
  const fund = await loadIfExists(Fund, id ?? { is_default: true });
  if (!fund) throw invalid('fund', id ? 'There is no such fund.' : 'Name a fund: there is no default fund.');
  if (!fund.is_active) throw invalid('fund', 'This fund is not active.');
  return fund;
}

/**
 * Checks the suggested amounts of a campaign. An amount outside of the limits of gifts would be refused when a donor
 * chooses it.
 */
async function requireAmountsWithinLimits(amounts: readonly number[]): Promise<void> {
  const { min_amount_cents: min, max_amount_cents: max } = await readConfig();
  if (amounts.some((cents) => cents < min || cents > max))
    throw invalid(
      'suggested_amounts',
      `Each amount must be from ${min} to ${max} cents, as the settings of the foundation say.`,
    );
}
