import { currentOrganization, oneRow } from '../../database/rows.js';

/** Reports whether officers of this organization see amounts; the default is true. */
export const officersSeeAmounts = async (): Promise<boolean> =>
  (await oneRow<{ sees: boolean }>('SELECT app.officers_see_amounts($1) AS sees', [currentOrganization()])).sees;
