import { rows, currentOrganization } from '../../database/rows.js';
import type { NoticeKind } from './PledgeNotice.js';

/**
 * Requests a mail to the donor of a pledge, which the process of the pledge sends. A mail about a period is requested
 * once.
 */
export async function requestNotice(pledgeId: string, kind: NoticeKind, period: number | null = null): Promise<void> {
  await rows(
    `INSERT INTO pledge_notices (organization_id, pledge_id, kind, period) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT pledge_notices_once DO NOTHING`,
    [currentOrganization(), pledgeId, kind, period],
  );
}
