import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { noticePerson } from './noticePerson.js';
import type { NoticeKind } from './noticeText.js';

/**
 * Tells everybody who administers the tenant.
 * @param facts besides the organization's name
 * @param exceptUserId the one who did what it tells of
 */
export async function noticeAdmins(
  kind: NoticeKind,
  facts: Record<string, string>,
  exceptUserId: string | null = null,
): Promise<void> {
  const organizationId = currentOrganization();
  const { name } = await oneRow<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [organizationId]);
  const admins = await rows<{ user_id: string }>(
    `SELECT user_id FROM app.active_admins($1) WHERE user_id IS DISTINCT FROM $2::uuid ORDER BY user_id`,
    [organizationId, exceptUserId],
  );
  for (const { user_id: userId } of admins) {
    await noticePerson({ userId, kind, facts: { organization: name, ...facts } });
  }
}
