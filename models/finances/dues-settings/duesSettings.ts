/** Reads and changes the billing settings of an organization. The table's defaults apply until the first change. */
import { type Edit, editRow, lockForEdit } from '../../database/model/change.js';
import { defaultsOf } from '../../database/model/defineModel.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { OrgDuesSettings } from './OrgDuesSettings.js';

/** The billing settings as the API shows them (OrgDuesSettings in the spec). */
export type DuesSettings = ShownRow<typeof OrgDuesSettings>;

/** Default settings; version 0 says that no change was made yet. */
export const DEFAULT_SETTINGS = { ...defaultsOf(OrgDuesSettings), version: 0 } as DuesSettings;

/** Returns the tenant's settings, in one statement. */
export const readDuesSettings = async (): Promise<DuesSettings> =>
  (await findRow(OrgDuesSettings, currentOrganization())) ?? DEFAULT_SETTINGS;

/**
 * Changes the settings. `change.version` is the version that the editor saw; 0 for the defaults. @throws Refusal
 * stale_version
 */
export async function updateDuesSettings(change: Edit<OrgDuesSettings>): Promise<DuesSettings> {
  const organizationId = currentOrganization();
  await rows(
    'INSERT INTO org_dues_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT (organization_id) DO NOTHING',
    [organizationId],
  );
  await editRow(await lockForEdit(OrgDuesSettings, organizationId), change);
  return readDuesSettings();
}
