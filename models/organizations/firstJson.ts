import { firstRow } from '../database/rows.js';

/** The first row of a query in the form that lists have too: times as ISO text. */
export async function firstJson<Row>(query: string, values: readonly unknown[]): Promise<Row | null> {
  return (await firstRow<{ row: Row }>(`SELECT to_json(found) AS row FROM (${query}) found`, values))?.row ?? null;
}
