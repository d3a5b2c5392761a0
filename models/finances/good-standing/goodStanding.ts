import { currentOrganization, rows } from '../../database/rows.js';
import { IS_DELINQUENT, IS_OWED, WAS_BILLED } from '../roster/standing.js';

/** owing: something is past due, which neither a freeze nor a plan on time holds back; not_billed: nothing was ever asked for. */
export const STANDINGS = ['good', 'owing', 'not_billed'] as const;
export type Standing = (typeof STANDINGS)[number];

const OWES = `EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = m.organization_id AND i.membership_id = m.id
  AND ${IS_OWED} AND ${IS_DELINQUENT})`;

/**
 * How members stand with their dues, in one statement and without a figure: `owing` is whoever the roster calls delinquent.
 * @returns a word for each membership that the tenant has, by its id
 */
export async function goodStanding(memberships: readonly string[]): Promise<Map<string, Standing>> {
  const found = await rows<{ id: string; standing: Standing }>(
    `SELECT m.id, CASE WHEN ${OWES} THEN 'owing' WHEN ${WAS_BILLED} THEN 'good' ELSE 'not_billed' END AS standing
       FROM memberships m WHERE m.organization_id = $1 AND m.id = ANY($2::uuid[])`,
    [currentOrganization(), memberships],
  );
  return new Map(found.map(({ id, standing }) => [id, standing]));
}
