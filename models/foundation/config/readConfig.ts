import { type ShownRow, findRow } from '../../database/model/read.js';
import { lockForEditIfExists } from '../../database/model/change.js';
import { foundationErrors } from '../errors.js';
import { FoundationConfig } from './FoundationConfig.js';

/** FoundationConfig of the spec. */
export type ShownConfig = ShownRow<typeof FoundationConfig>;

/** Returns the settings of the tenant's foundation. @throws Refusal foundation_not_configured */
export async function readConfig(): Promise<ShownConfig> {
  const shown = await findRow(FoundationConfig, {});
  if (!shown) throw foundationErrors.foundation_not_configured();
  return shown;
}

/** Locks the settings, so that changes that depend on them wait. @throws Refusal foundation_not_configured */
export async function lockConfig(): Promise<FoundationConfig> {
  const stored = await lockForEditIfExists(FoundationConfig, {});
  if (!stored) throw foundationErrors.foundation_not_configured();
  return stored;
}
