import { currentOrganization, rows } from '../../database/rows.js';
import { enqueueNoticeToPeople } from '../../identity/notices/enqueueNoticeToPeople.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/** Maximum number of platform admins who are notified. */
const MAX_ADMINS = 200;

/**
 * Notifies the active platform admins of a failed check, in the app and by mail of the platform's own server. The texts
 * name the organization, and no rows, amounts or people.
 */
export async function notifyOfFailedCheck(checkId: string): Promise<void> {
  const admins = await rows<{ id: string }>(
    `SELECT id FROM users WHERE is_platform_admin AND disabled_at IS NULL ORDER BY id LIMIT ${MAX_ADMINS}`,
  );
  const to = admins.map(({ id }) => id);
  await notify(notifications.ledger_check_failed, [checkId], { to, actor: null });
  await enqueueNoticeToPeople(
    'ledger_check_failed',
    { organization_id: currentOrganization(), ledger_check_id: checkId },
    to,
  );
}
