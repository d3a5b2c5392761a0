import { oneRow } from '../database/rows.js';

/** Returns the current date of the tenant, as YYYY-MM-DD. */
export const readToday = async (): Promise<string> =>
  (await oneRow<{ today: string }>('SELECT app.today()::text AS today')).today;
