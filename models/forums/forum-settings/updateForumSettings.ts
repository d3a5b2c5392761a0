/** Reads and changes the settings for forums. The table's defaults apply until the first change. */
import { type Edit, editRow, lockForEdit } from '../../database/model/change.js';
import { defaultsOf } from '../../database/model/defineModel.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { ForumSettings } from './ForumSettings.js';

type Settings = ShownRow<typeof ForumSettings>;

/** Default settings; version 0 says that no change was made yet. */
const DEFAULT_SETTINGS = { ...defaultsOf(ForumSettings), version: 0 } as Settings;

export const readForumSettings = async (): Promise<Settings> =>
  (await findRow(ForumSettings, currentOrganization())) ?? DEFAULT_SETTINGS;

/**
 * Changes the settings. `change.version` is the version that the editor saw; 0 for the defaults.
 * @throws Refusal stale_version
 */
export async function updateForumSettings(change: Edit<ForumSettings>): Promise<Settings> {
  await editRow(await lockForumSettings(), change);
  return readForumSettings();
}

/** Creates the row of the settings if there is none, and locks it. */
export async function lockForumSettings(): Promise<ForumSettings> {
  const organizationId = currentOrganization();
  await rows(
    'INSERT INTO forum_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT (organization_id) DO NOTHING',
    [organizationId],
  );
  return lockForEdit(ForumSettings, organizationId);
}
