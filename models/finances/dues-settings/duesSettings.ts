/** How an organization bills. The row comes with the first change; until then the table's defaults hold. */
import { type Edit, editRow, lockRow } from '../../database/model/change.js';
import { defaultsOf } from '../../database/model/defineModel.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { OrgDuesSettings } from './OrgDuesSettings.js';

/** OrgDuesSettings of the spec. */
export type DuesSettings = ShownRow<typeof OrgDuesSettings>;

/** What holds until somebody changes something: version 0 says that nobody has. */
export const DEFAULT_SETTINGS = { ...defaultsOf(OrgDuesSettings), version: 0 } as DuesSettings;

/** The tenant's settings, in one statement. */
export const readDuesSettings = async (): Promise<DuesSettings> =>
  (await findRow(OrgDuesSettings, currentOrganization())) ?? DEFAULT_SETTINGS;

/** `change.version` is what the editor saw; 0 for the defaults. @throws Refusal stale_version */
export async function updateDuesSettings(change: Edit<OrgDuesSettings>): Promise<DuesSettings> {
  const organizationId = currentOrganization();
  await rows(
    'INSERT INTO org_dues_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT (organization_id) DO NOTHING',
    [organizationId],
  );
  await editRow(await lockRow(OrgDuesSettings, organizationId), change);
  return readDuesSettings();
}
