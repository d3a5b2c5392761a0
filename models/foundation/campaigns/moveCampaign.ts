import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { loadIfExists, readRow } from '../../database/model/read.js';
import type { FieldErrors } from '../../errors.js';
import type { FoundationConfig } from '../config/FoundationConfig.js';
import { FoundationPaymentProcessor } from '../config/FoundationPaymentProcessor.js';
import { lockConfig } from '../config/readConfig.js';
import { foundationErrors } from '../errors.js';
import { Campaign } from './Campaign.js';
import { requireActiveFund, type ShownCampaign } from './campaigns.js';

/** The changes of status that people can make; a schedule closes ended campaigns. */
const TRANSITIONS = {
  publish: { from: 'draft', change: { status: 'active', published_at: now } },
  close: { from: 'active', change: { status: 'closed', closed_at: now } },
  reopen: { from: 'closed', change: { status: 'active', closed_at: null } },
} as const;

/**
 * Publishes, closes or reopens a campaign. Locks the foundation's settings first, so that no required setting can be
 * removed meanwhile.
 * @throws Refusal not_found, invalid_campaign_transition, foundation_incomplete, validation_error for an inactive fund
 */
export async function moveCampaign(id: string, transition: keyof typeof TRANSITIONS): Promise<ShownCampaign> {
  const { from, change } = TRANSITIONS[transition];
  const config = await lockConfig();
  const campaign = await lockForEdit(Campaign, id);
  if (campaign.status !== from)
    throw foundationErrors.invalid_campaign_transition(
      `This campaign is ${campaign.status}; only one that is ${from} can do this.`,
    );
  if (change.status === 'active') {
    await requireComplete(config);
    await requireActiveFund(campaign.fund_id);
  }
  await editRow(campaign, change);
  return readRow(Campaign, id);
}

/** Requires everything that a receipt and a payment need. @throws Refusal foundation_incomplete naming what is missing */
async function requireComplete({ legal_name, ein, mailing_address }: FoundationConfig): Promise<void> {
  const payment_processor = await loadIfExists(FoundationPaymentProcessor, {});
  const missing = Object.entries({ legal_name, ein, mailing_address, payment_processor }).filter(
    ([, value]) => value === null,
  );
  const errors: FieldErrors = Object.fromEntries(missing.map(([field]) => [field, ['Is missing.']]));
  if (missing.length > 0) throw foundationErrors.foundation_incomplete(undefined, errors);
}
