import { type Edit, editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireTimezone } from '../../database/timezones.js';
import { invalid } from '../../errors.js';
import { foundationErrors } from '../errors.js';
import { followTimezone } from '../pledges/followTimezone.js';
import type { FoundationConfig } from './FoundationConfig.js';
import { lockConfig, readConfig, type ShownConfig } from './readConfig.js';

/** Settings without which no receipt can be issued. */
const REQUIRED_BY_RECEIPTS = ['legal_name', 'ein', 'mailing_address'] as const;

/**
 * Changes the settings. @throws Refusal foundation_not_configured, stale_version, currency_in_use,
 * foundation_incomplete, validation_error
 */
export async function changeConfig(edit: Edit<FoundationConfig>): Promise<ShownConfig> {
  await requireTimezone(edit.timezone);
  const stored = await lockConfig();
  requireLimits(stored, edit);
  if (edit.currency !== undefined && edit.currency !== stored.currency) await requireNoGift();
  if (REQUIRED_BY_RECEIPTS.some((field) => edit[field] === null && stored[field] !== null)) await requireNoReceipts();
  if (edit.mailing_address === null && stored.mailing_address !== null) await requireNoBulletin();
  const changed = await editRow(stored, edit);
  if (changed.includes('timezone')) await followTimezone();
  return readConfig();
}

/** Requires the minimum of a gift not to exceed its maximum; the refusal names the changed field. */
function requireLimits(
  stored: FoundationConfig,
  { min_amount_cents: min, max_amount_cents: max }: Edit<FoundationConfig>,
) {
  if ((min ?? stored.min_amount_cents) <= (max ?? stored.max_amount_cents)) return;
  if (max === undefined) throw invalid('min_amount_cents', 'Must not exceed max_amount_cents.');
  throw invalid('max_amount_cents', 'Must not be less than min_amount_cents.');
}

async function requireNoGift(): Promise<void> {
  const gift = await firstRow('SELECT FROM donations WHERE organization_id = $1 LIMIT 1', [currentOrganization()]);
  if (gift) throw foundationErrors.currency_in_use();
}

/**
 * Refuses to remove a setting that receipts require if a campaign was ever published or a gift was recorded, because
 * donors get receipts even after a campaign has ended.
 */
async function requireNoReceipts(): Promise<void> {
  const found = await firstRow(
    `(SELECT FROM campaigns WHERE organization_id = $1 AND published_at IS NOT NULL LIMIT 1)
     UNION ALL (SELECT FROM donations WHERE organization_id = $1 LIMIT 1)`,
    [currentOrganization()],
  );
  if (found)
    throw foundationErrors.foundation_incomplete(
      'Receipts need the legal name, the EIN and the mailing address. They can be changed, but not removed, once a campaign is published or a gift is recorded.',
    );
}

/** Refuses while a bulletin is scheduled or being sent, because each mail shows the postal address. */
async function requireNoBulletin(): Promise<void> {
  const waiting = await firstRow(
    `SELECT FROM foundation_bulletins WHERE organization_id = $1 AND status IN ('scheduled', 'sending') LIMIT 1`,
    [currentOrganization()],
  );
  if (waiting)
    throw foundationErrors.foundation_incomplete(
      'A bulletin that waits or is being sent needs the mailing address. Unschedule or stop it first.',
    );
}
