import { currentOrganization, oneRow } from '../../database/rows.js';
import { enqueueNotice } from './enqueueNotice.js';
import type { NoticeKind } from './noticeText.js';

/**
 * Enqueues a notice about the tenant to several people.
 * @param facts facts for the mail; the organization's name is added to them
 */
export async function enqueueNoticeToPeople(
  kind: NoticeKind,
  facts: Record<string, string>,
  userIds: readonly string[],
): Promise<void> {
  const { name } = await oneRow<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    currentOrganization(),
  ]);
  for (const userId of userIds) await enqueueNotice({ userId, kind, facts: { organization: name, ...facts } });
}
