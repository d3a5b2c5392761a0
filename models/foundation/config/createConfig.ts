import { createRow, type NewRow } from '../../database/model/change.js';
import { requireTimezone } from '../../database/timezones.js';
import { requireAccess } from './access.js';
import { FoundationAdmin } from './FoundationAdmin.js';
import { FoundationConfig } from './FoundationConfig.js';
import { readConfig, type ShownConfig } from './readConfig.js';

/**
 * Creates the foundation of the tenant with its first admin. @throws Refusal duplicate, not_in_organization,
 * validation_error
 */
export async function createConfig(
  settings: NewRow<(typeof FoundationConfig)['definition']['columns']> & { timezone?: string | undefined },
  firstAdminId: string,
): Promise<ShownConfig> {
  await requireTimezone(settings.timezone);
  const { id } = await createRow(FoundationConfig, settings);
  await requireAccess(firstAdminId);
  await createRow(FoundationAdmin, { foundation_id: id, user_id: firstAdminId, role: 'admin' });
  return readConfig();
}
