import { platformAlert } from '../../../workflows/contracts/index.js';
import { auditPlatform } from '../../database/audit.js';
import { changeRow, createRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { refuse, RowMissing } from '../../errors.js';
import { notifyAudience } from '../../notifications/notifyAudience.js';
import { audiences } from '../../organizations/audiences.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { notifications } from '../notifications.js';
import { type ALERT_AUDIENCES, PlatformAlert } from './PlatformAlert.js';

interface NewAlert {
  title: string;
  body: string;
  audience: (typeof ALERT_AUDIENCES)[number];
  idempotency_key?: string | null | undefined;
}

/** Creates an alert, and enqueues the process that notifies every organization of it. */
export async function publishAlert(alert: NewAlert, userId: string): Promise<ShownRow<typeof PlatformAlert>> {
  const { id } = await createRow(PlatformAlert, { ...alert, created_by: userId });
  await auditPlatform({
    action: 'platform_alert.published',
    subjectType: 'platform_alert',
    subjectId: id,
    after: { audience: alert.audience },
  });
  await enqueue(platformAlert, { alertId: id });
  return readRow(PlatformAlert, id);
}

/**
 * Creates an alert. If the request has an idempotency key, creates it at most once for that key.
 * @throws Refusal idempotency_mismatch
 */
export async function publishAlertOnce(
  alert: NewAlert,
  userId: string,
): Promise<{ alert: ShownRow<typeof PlatformAlert>; repeated: boolean }> {
  const existingId = alert.idempotency_key ? await findExisting(alert.idempotency_key, alert, userId) : null;
  return existingId === null
    ? { alert: await publishAlert(alert, userId), repeated: false }
    : { alert: await readRow(PlatformAlert, existingId), repeated: true };
}

/**
 * Finds the author's alert with this idempotency key. Locks the author, so that of two concurrent requests the second
 * finds the alert of the first.
 * @returns its id, or null if there is none
 * @throws Refusal idempotency_mismatch
 */
async function findExisting(key: string, { title, body, audience }: NewAlert, userId: string): Promise<string | null> {
  await rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const existing = await firstRow<{ id: string; same: boolean }>(
    `SELECT id, (title, body, audience) = ($3, $4, $5) AS same FROM platform_alerts WHERE created_by = $1 AND idempotency_key = $2`,
    [userId, key, title, body, audience],
  );
  if (existing && !existing.same) throw refuse.idempotency_mismatch('This idempotency key was used for another alert.');
  return existing?.id ?? null;
}

type AlertStatus = PlatformAlert['status'];

/** Number of organizations that one step notifies. */
const BATCH_SIZE = 50;

/**
 * Notifies the next organizations of an alert, each in its own transaction. No organization is notified twice. Stops
 * when the author is no longer a platform admin.
 * @returns the status of the alert
 * @throws RowMissing
 */
export async function notifyNextOrganizations(alertId: string): Promise<AlertStatus> {
  const { audience, page: batch, status } = await inPlatform(() => lockNextBatch(alertId));
  if (status !== 'running') return status;
  for (const { id } of batch)
    await inTenant(id, () =>
      notifyAudience(notifications.platform_alert, alertId, audiences[audience], { actor: null }),
    );
  return inPlatform(() => recordProgress(alertId, batch));
}

async function lockNextBatch(alertId: string) {
  const alert = await lockForEditIfExists(PlatformAlert, alertId);
  if (!alert) throw new RowMissing('There is no such alert.');
  const { audience, status, reached_organization_id: reachedId, created_by: userId } = alert;
  if (status === 'running' && !(await holdsRight({ userId, authority: 'organization', organizationId: null }))) {
    await changeRow(PlatformAlert, alertId, { status: STOPPED_RIGHT_LOST, closed_at: now });
    return { audience, status: STOPPED_RIGHT_LOST, page: [] } as const;
  }
  const batch = await rows<{ id: string }>(
    'SELECT id FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2',
    [reachedId, BATCH_SIZE],
  );
  return { audience, status, page: batch };
}

async function recordProgress(alertId: string, batch: { id: string }[]): Promise<AlertStatus> {
  const isLast = batch.length < BATCH_SIZE;
  const last = batch.at(-1)?.id;
  const updated = await changeRow(
    PlatformAlert,
    { id: alertId, status: 'running' },
    { ...(last && { reached_organization_id: last }), ...(isLast && { status: 'done', closed_at: now }) },
  );
  return updated?.status ?? 'cancelled';
}

/**
 * Cancels an alert: no further organization is notified, and notifications that are not delivered yet are withdrawn.
 * Repeated calls change nothing.
 */
export async function stopAlert(alertId: string): Promise<void> {
  await changeRow(PlatformAlert, { id: alertId, status: 'running' }, { status: 'cancelled', closed_at: now });
}
