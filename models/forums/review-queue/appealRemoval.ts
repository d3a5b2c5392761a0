import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { forumErrors } from '../errors.js';
import { lockForumForText, requireForumAccess } from '../forums/forumAccess.js';
import { lockText, type TextKey } from '../lockTexts.js';
import { ForumCase } from './ForumCase.js';
import { notifications } from './notifications.js';

const APPEAL_DAYS = 14;

/**
 * Appeals against the removal of one's own text, once, within 14 days.
 * @throws Refusal not_found, forbidden, forum_archived, text_not_removed, already_appealed, appeal_expired
 */
export async function appealRemoval(key: TextKey, userId: string, appealText: string): Promise<void> {
  await requireForumAccess(key.forumId, userId);
  await lockForumForText(key.forumId);
  const { forum_role: role, is_archived } = await requireForumAccess(key.forumId, userId);
  const text = await lockText(key, { userId, role });
  if (text.author_id !== userId) throw refuse.forbidden('Only the author of a text can appeal.');
  if (is_archived) throw forumErrors.forum_archived();
  if (text.status !== 'removed') throw forumErrors.text_not_removed();
  const latest = await firstRow<{ id: string; has_expired: boolean }>(
    `SELECT id, decided_at < now() - make_interval(days => ${APPEAL_DAYS}) AS has_expired
       FROM forum_cases WHERE organization_id = $1 AND text_id = $2 ORDER BY id DESC LIMIT 1`,
    [currentOrganization(), text.id],
  );
  const row = latest && (await lockForEditIfExists(ForumCase, latest.id));
  if (!row) throw forumErrors.text_not_removed();
  if (row.appealed_at !== null) throw forumErrors.already_appealed();
  if (latest.has_expired) throw forumErrors.appeal_expired();
  await editRow(row, { status: 'appealed', appeal_text: appealText, appealed_at: now });
  await notify(notifications.forum_appeal_made, [row.id]);
}
