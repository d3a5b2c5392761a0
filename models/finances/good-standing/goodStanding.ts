import { currentOrganization, rows } from '../../database/rows.js';
import { IS_DELINQUENT, IS_OWED, WAS_BILLED } from '../roster/standing.js';

/**
 * owing: an invoice is past due and not deferred by a freeze or an up-to-date plan. not_billed: there was never an
 * invoice.
 */
export const STANDINGS = ['good', 'owing', 'not_billed'] as const;
export type DuesStanding = (typeof STANDINGS)[number];

const OWES = `EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = m.organization_id AND i.membership_id = m.id
  AND ${IS_OWED} AND ${IS_DELINQUENT})`;

/**
 * Reads the standing of members' dues in one statement, without amounts. `owing` are the members that the roster calls
 * delinquent.
 * @returns the standing of each of these memberships that the tenant has, by id
 */
export async function readDuesStandings(memberships: readonly string[]): Promise<Map<string, DuesStanding>> {
  const members = await rows<{ id: string; standing: DuesStanding }>(
    `SELECT m.id, CASE WHEN ${OWES} THEN 'owing' WHEN ${WAS_BILLED} THEN 'good' ELSE 'not_billed' END AS standing
       FROM memberships m WHERE m.organization_id = $1 AND m.id = ANY($2::uuid[])`,
    [currentOrganization(), memberships],
  );
  return new Map(members.map(({ id, standing }) => [id, standing]));
}
