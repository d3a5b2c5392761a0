import { currentScope } from '../../database/connection.js';
import { oneRow } from '../../database/rows.js';
import { noticeAdmins } from '../../identity/notices/noticeAdmins.js';
import type { NoticeKind } from '../../identity/notices/noticeText.js';

/** Tells the organization's administrators, but for the one who did it, what became of a card processor, or of a refund by it. */
export async function tellOtherAdmins(
  kind: Extract<NoticeKind, `payment_${string}`>,
  processor: string,
): Promise<void> {
  const { at } = await oneRow<{ at: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS at`,
    [],
  );
  await noticeAdmins(kind, { at, processor }, currentScope().origin.userId);
}
