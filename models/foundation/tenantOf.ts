import { firstRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';

/** SQL functions that find the tenant of a public id. */
const FUNCTIONS = { donation: 'app.donation_of', pledge: 'app.pledge_of' } as const;

/**
 * Finds the tenant of a gift or pledge whose id a stranger may know.
 * @param options.maySuspended whether suspended organizations are found; otherwise they are like unknown ones
 * @returns null for an unknown id
 */
export async function tenantOf(
  kind: keyof typeof FUNCTIONS,
  id: string,
  { maySuspended = false } = {},
): Promise<string | null> {
  const read = () =>
    firstRow<{ id: string }>(
      `SELECT o.id FROM organizations o WHERE o.id = (SELECT ${FUNCTIONS[kind]}($1)) AND (o.is_active OR $2)`,
      [id, maySuspended],
    );
  return (await inPlatform(read, { readOnly: true }))?.id ?? null;
}
