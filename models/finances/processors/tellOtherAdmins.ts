import { currentScope } from '../../database/connection.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { noticePerson } from '../../identity/notices/noticePerson.js';
import type { NoticeKind } from '../../identity/notices/noticeText.js';

/** Tells the organization's administrators, but for the one who did it, what became of a card processor. */
export async function tellOtherAdmins(
  kind: Extract<NoticeKind, `payment_processor_${string}`>,
  processor: string,
): Promise<void> {
  const others = await rows<{ user_id: string; organization: string; at: string }>(
    `SELECT a.user_id, o.name AS organization, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS at
       FROM organization_admins a JOIN organizations o ON o.id = a.organization_id JOIN users u ON u.id = a.user_id
      WHERE a.organization_id = $1 AND a.is_active AND u.disabled_at IS NULL AND a.user_id IS DISTINCT FROM $2
      ORDER BY a.user_id`,
    [currentOrganization(), currentScope().origin.userId],
  );
  for (const { user_id: userId, ...facts } of others) {
    await noticePerson({ userId, kind, facts: { ...facts, processor } });
  }
}
