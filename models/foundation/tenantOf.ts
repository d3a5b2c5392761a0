import { firstRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';

/** SQL functions that find the tenant of a public id. Suspended organizations are like unknown ones. */
const FUNCTIONS = { donation: 'app.donation_of', pledge: 'app.pledge_of' } as const;

/** Finds the tenant of a gift or pledge whose id a stranger may know. @returns null for an unknown id */
export async function tenantOf(kind: keyof typeof FUNCTIONS, id: string): Promise<string | null> {
  const read = () => firstRow<{ id: string | null }>(`SELECT ${FUNCTIONS[kind]}($1) AS id`, [id]);
  return (await inPlatform(read, { readOnly: true }))?.id ?? null;
}
