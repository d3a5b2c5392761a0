import { currentOrganization, rows } from '../../database/rows.js';
import { enqueueNoticeToPeople } from './enqueueNoticeToPeople.js';
import type { NoticeKind } from './noticeText.js';

/**
 * Enqueues a notice to every active admin of the tenant.
 * @param facts facts for the mail; the organization's name is added to them
 * @param exceptUserId the admin who caused the event and gets no mail
 */
export async function enqueueNoticeToAdmins(
  kind: NoticeKind,
  facts: Record<string, string>,
  exceptUserId: string | null = null,
): Promise<void> {
  const admins = await rows<{ user_id: string }>(
    `SELECT user_id FROM app.active_admins($1) WHERE user_id IS DISTINCT FROM $2::uuid ORDER BY user_id`,
    [currentOrganization(), exceptUserId],
  );
  await enqueueNoticeToPeople(
    kind,
    facts,
    admins.map(({ user_id }) => user_id),
  );
}
