import { platformAlert } from '../../../workflows/contracts/index.js';
import { changeRow, createRow, lockIfThere, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { refuse, RowMissing } from '../../errors.js';
import { notifyAudience } from '../../notifications/notifyAudience.js';
import { audiences } from '../../organizations/audiences.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { told } from '../notifications.js';
import { type ALERT_AUDIENCES, PlatformAlert } from './PlatformAlert.js';

interface Alert {
  title: string;
  body: string;
  audience: (typeof ALERT_AUDIENCES)[number];
  idempotency_key?: string | null | undefined;
}

/** Writes an alert, and the intent to tell it in every organization. */
export async function publishAlert(alert: Alert, userId: string): Promise<ShownRow<typeof PlatformAlert>> {
  const { id } = await createRow(PlatformAlert, { ...alert, created_by: userId });
  await enqueue(platformAlert, { alertId: id });
  return readRow(PlatformAlert, id);
}

/** The same, once for its key, where it has one. @throws Refusal idempotency_mismatch */
export async function publishOnce(
  alert: Alert,
  userId: string,
): Promise<{ alert: ShownRow<typeof PlatformAlert>; repeated: boolean }> {
  const before = alert.idempotency_key ? await saidBefore(alert.idempotency_key, alert, userId) : null;
  return before === null
    ? { alert: await publishAlert(alert, userId), repeated: false }
    : { alert: await readRow(PlatformAlert, before), repeated: true };
}

/** Holds its author: of two at once the second finds the first. @returns its id. @throws Refusal idempotency_mismatch */
async function saidBefore(key: string, { title, body, audience }: Alert, userId: string): Promise<string | null> {
  await rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const said = await firstRow<{ id: string; same: boolean }>(
    `SELECT id, (title, body, audience) = ($3, $4, $5) AS same FROM platform_alerts WHERE created_by = $1 AND idempotency_key = $2`,
    [userId, key, title, body, audience],
  );
  if (said && !said.same) throw refuse.idempotency_mismatch('This key stands for another alert.');
  return said?.id ?? null;
}

type AlertStatus = PlatformAlert['status'];

/** Organizations that one step tells. */
const PAGE = 50;

/**
 * Tells the next organizations, each in a transaction of its own; one that was told already is told nothing. Stops when the
 * author does not run the platform any more.
 * @returns how the alert stands
 * @throws RowMissing
 */
export async function tellNextOrganizations(alertId: string): Promise<AlertStatus> {
  const { audience, page, status } = await inPlatform(() => nextPage(alertId));
  if (status !== 'running') return status;
  for (const { id } of page)
    await inTenant(id, () => notifyAudience(told.platform_alert, alertId, audiences[audience], { actor: null }));
  return inPlatform(() => noteReached(alertId, page));
}

async function nextPage(alertId: string) {
  const alert = await lockIfThere(PlatformAlert, alertId);
  if (!alert) throw new RowMissing('There is no such alert.');
  const { audience, status, reached_organization_id: reached, created_by: userId } = alert;
  if (status === 'running' && !(await holdsRight({ userId, hand: 'organization', organizationId: null }))) {
    await changeRow(PlatformAlert, alertId, { status: STOPPED_RIGHT_LOST, closed_at: now });
    return { audience, status: STOPPED_RIGHT_LOST, page: [] } as const;
  }
  const page = await rows<{ id: string }>(
    'SELECT id FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2',
    [reached, PAGE],
  );
  return { audience, status, page };
}

async function noteReached(alertId: string, page: { id: string }[]): Promise<AlertStatus> {
  const isLast = page.length < PAGE;
  const last = page.at(-1)?.id;
  const noted = await changeRow(
    PlatformAlert,
    { id: alertId, status: 'running' },
    { ...(last && { reached_organization_id: last }), ...(isLast && { status: 'done', closed_at: now }) },
  );
  return noted?.status ?? 'cancelled';
}

/** No further organization is told, and what was not delivered yet says so no more. Again changes nothing. */
export async function stopAlert(alertId: string): Promise<void> {
  await changeRow(PlatformAlert, { id: alertId, status: 'running' }, { status: 'cancelled', closed_at: now });
}
