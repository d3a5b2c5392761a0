import { currentScope } from '../../database/connection.js';
import { oneRow } from '../../database/rows.js';
import { enqueueNoticeToAdmins } from '../../identity/notices/enqueueNoticeToAdmins.js';
import type { NoticeKind } from '../../identity/notices/noticeText.js';

/**
 * Notifies the organization's administrators, except the acting one, about a change of a card processor or a failed
 * refund.
 */
export async function notifyOtherAdmins(
  kind: Extract<NoticeKind, `payment_${string}`>,
  processor: string,
): Promise<void> {
  const { at } = await oneRow<{ at: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS at`,
    [],
  );
  await enqueueNoticeToAdmins(kind, { at, processor }, currentScope().origin.userId);
}
