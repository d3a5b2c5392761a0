import { auditAll } from '../../database/audit.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';

/** SQL: the last day of campaign `c` is past in the time zone of its foundation `f`. */
const HAS_ENDED = `c.organization_id = $1 AND c.status = 'active' AND c.ends_on < app.local_day(f.timezone)`;

/** Reports whether an active campaign of the tenant has ended. */
export const hasEndedCampaigns = async (): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM campaigns c JOIN foundation_configs f ON f.organization_id = c.organization_id WHERE ${HAS_ENDED} LIMIT 1`,
    [currentOrganization()],
  )) !== null;

/** Closes the tenant's campaigns whose last day is past, in one statement, and writes the audit log. */
export async function closeEndedCampaigns(): Promise<void> {
  const closed = await rows<{ id: string; closed_at: Date }>(
    `UPDATE campaigns c SET status = 'closed', closed_at = now() FROM foundation_configs f
      WHERE f.organization_id = c.organization_id AND ${HAS_ENDED} RETURNING c.id, c.closed_at`,
    [currentOrganization()],
  );
  await auditAll(
    closed.map(({ id, closed_at }) => ({
      action: 'campaign.updated',
      subjectType: 'campaign',
      subjectId: id,
      before: { status: 'active', closed_at: null },
      after: { status: 'closed', closed_at },
    })),
  );
}
