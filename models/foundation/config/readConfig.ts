import { type ShownRow, findRow } from '../../database/model/read.js';
import { lockForEditIfExists } from '../../database/model/change.js';
import { foundationErrors } from '../errors.js';
import { FoundationConfig } from './FoundationConfig.js';

/** The foundation's settings as the API shows them (FoundationConfig in the spec). */
export type ShownConfig = ShownRow<typeof FoundationConfig>;

/** Returns the settings of the tenant's foundation. @throws Refusal foundation_not_configured */
export async function readConfig(): Promise<ShownConfig> {
  const shown = await findRow(FoundationConfig, {});
  if (!shown) throw foundationErrors.foundation_not_configured();
  return shown;
}

/**
 * Locks the foundation's settings until the transaction ends, so that no other change can rely on the old values.
 * @throws Refusal foundation_not_configured
 */
export async function lockConfig(): Promise<FoundationConfig> {
  const stored = await lockForEditIfExists(FoundationConfig, {});
  if (!stored) throw foundationErrors.foundation_not_configured();
  return stored;
}
