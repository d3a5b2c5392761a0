import { currentOrganization, firstRow } from '../../database/rows.js';

/** Whether this organization lets its officers see amounts; it does until it says otherwise. */
export async function officersSeeAmounts(): Promise<boolean> {
  const settings = await firstRow<{ officers_see_amounts: boolean }>(
    'SELECT officers_see_amounts FROM org_dues_settings WHERE organization_id = $1',
    [currentOrganization()],
  );
  return settings?.officers_see_amounts ?? true;
}
