import { currentOrganization, rows } from '../../database/rows.js';
import { IS_DELINQUENT, IS_OWED, WAS_BILLED } from '../roster/standing.js';

/**
 * good: nothing is past due. owing: an invoice is past due, and neither a freeze nor a payment plan that is kept up to
 * date defers it. not_billed: the member never had an invoice.
 */
export const STANDINGS = ['good', 'owing', 'not_billed'] as const;
export type DuesStanding = (typeof STANDINGS)[number];

const OWES = `EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = m.organization_id AND i.membership_id = m.id
  AND ${IS_OWED} AND ${IS_DELINQUENT})`;

/**
 * Reads the dues standing of members in one statement, without amounts. The standing is `owing` for members whom the
 * roster calls delinquent.
 * @returns the standing by membership id; memberships of other tenants are left out
 */
export async function readDuesStandings(memberships: readonly string[]): Promise<Map<string, DuesStanding>> {
  const members = await rows<{ id: string; standing: DuesStanding }>(
    `SELECT m.id, CASE WHEN ${OWES} THEN 'owing' WHEN ${WAS_BILLED} THEN 'good' ELSE 'not_billed' END AS standing
       FROM memberships m WHERE m.organization_id = $1 AND m.id = ANY($2::uuid[])`,
    [currentOrganization(), memberships],
  );
  return new Map(members.map(({ id, standing }) => [id, standing]));
}
