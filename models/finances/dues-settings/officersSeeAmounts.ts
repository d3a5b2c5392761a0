import { currentOrganization, oneRow } from '../../database/rows.js';

/** Whether this organization lets its officers see amounts; it does until it switches that off. */
export const officersSeeAmounts = async (): Promise<boolean> =>
  (await oneRow<{ sees: boolean }>('SELECT app.officers_see_amounts($1) AS sees', [currentOrganization()])).sees;
