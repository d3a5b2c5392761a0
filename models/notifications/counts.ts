/** How much is new, for whoever asks each minute. Counts are of all, not of the newest that the list shows. */
import { rows, type Statement } from '../database/rows.js';
import { LISTED } from './listNotifications.js';

/** How many `$1` has not read. */
export const COUNTED = `SELECT count(*)::int FROM notifications n WHERE ${LISTED} AND n.read_at IS NULL`;

/** What somebody has not read. */
export const countUnread = (userId: string): Statement => ({
  text: `SELECT (${COUNTED}) AS count`,
  values: [userId],
  kept: true,
});

/** What somebody has not read and is asked to act on. */
export const countToActOn = (userId: string): Statement => ({
  text: `SELECT (${COUNTED} AND n.requires_action) AS count`,
  values: [userId],
  kept: true,
});

export interface AlertSummary {
  notifications: number;
  /** What waits for this person's decision. */
  approvals: number;
  compliance: number;
}

const ADMINISTERS = `EXISTS (SELECT FROM organization_admins o
  WHERE o.organization_id = (SELECT app.org_id()) AND o.user_id = $1 AND o.is_active)`;
const ADMINISTERS_REGION = `a.chapter_id IN (SELECT c.id FROM chapters c JOIN regional_admins r
    ON r.organization_id = c.organization_id AND r.region_id = c.region_id AND r.user_id = $1 AND r.is_active
  WHERE c.organization_id = (SELECT app.org_id()))`;

/** How much `$1` may decide, which they have not asked for themselves. Where they decide is asked once, not once a request. */
const TO_DECIDE = `SELECT count(*)::int FROM waiting_approvals a
  WHERE a.organization_id = (SELECT app.org_id()) AND a.requested_by IS DISTINCT FROM $1 AND CASE a.tier
    WHEN 'organization' THEN ${ADMINISTERS}
    WHEN 'regional' THEN ${ADMINISTERS_REGION}
    WHEN 'regional_or_organization' THEN ${ADMINISTERS} OR ${ADMINISTERS_REGION}
    WHEN 'officer' THEN a.chapter_id IN (SELECT m.chapter_id FROM memberships m
      WHERE m.organization_id = (SELECT app.org_id()) AND m.user_id = $1 AND app.leads_chapter(m.role, m.status)) END`;

/** What the header shows. Compliance items are counted here once there are some. */
export const alertSummary = (userId: string): Statement => ({
  text: `SELECT (${COUNTED}) AS notifications, (${TO_DECIDE}) AS approvals, 0 AS compliance`,
  values: [userId],
  kept: true,
});

/** The row of such a statement. */
export async function counted<Row>({ text, values }: Statement): Promise<Row> {
  const [row] = await rows<Row>(text, values);
  return row as Row;
}
