/** Opens and closes cases, and changes the state of their texts. The caller has locked the text, and its post before. */
import { audit } from '../../database/audit.js';
import { type Change, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import type { ForumComment } from '../comments/ForumComment.js';
import type { MentionedName } from '../mentions/mentionedNames.js';
import { notifyMentioned } from '../mentions/notifyMentioned.js';
import type { RulePattern } from '../moderation-rules/compileRules.js';
import { withdrawHiddenTexts } from '../notifyText.js';
import { ForumPost } from '../posts/ForumPost.js';
import { recountThread } from '../posts/threadCounts.js';
import { eventOfText, type ForumText, idsOfText, type TextIds } from '../textIds.js';
import { publishTextChange } from '../topics.js';
import type { TextStatus } from '../vocabulary.js';
import { ForumCase } from './ForumCase.js';
import { notifications } from './notifications.js';

/** Returns the open case of a text, or opens one, of which the people who decide are notified. @returns its id */
export async function openCase(
  text: TextIds,
  origin: { opened_by: 'rule' | 'flag'; matched_rules?: readonly RulePattern[] },
): Promise<string> {
  const open = await firstRow<{ id: string }>(
    `SELECT id FROM forum_cases WHERE organization_id = $1 AND text_id = $2 AND status = 'open'`,
    [currentOrganization(), text.id],
  );
  if (open) return open.id;
  const id = await insertCase(text, origin);
  // The notification does not name the person who flagged.
  await notify(notifications.forum_case_opened, [id], origin.opened_by === 'flag' ? { actor: null } : {});
  return id;
}

async function insertCase(
  { forum_id, post_id, comment_id, author_id }: TextIds,
  fields: {
    opened_by: ForumCase['opened_by'];
    matched_rules?: readonly RulePattern[];
    removal?: { by: string; reason: string };
  },
): Promise<string> {
  const { opened_by, matched_rules = [], removal } = fields;
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO forum_cases (organization_id, forum_id, post_id, comment_id, author_id, opened_by, matched_rules,
                              status, decided_by, decided_at, reason)
     SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN $8::uuid IS NULL THEN 'open' ELSE 'removed' END, $8,
            CASE WHEN $8::uuid IS NOT NULL THEN now() END, $9
     RETURNING id`,
    [
      currentOrganization(),
      forum_id,
      post_id,
      comment_id,
      author_id,
      opened_by,
      JSON.stringify(matched_rules),
      removal?.by ?? null,
      removal?.reason ?? null,
    ],
  );
  return id;
}

/** Columns of a text whose words change. If a rule flags a published text, it waits for a decision. */
export const stateOfEdited = (before: TextStatus, flaggedBy: readonly RulePattern[]) => ({
  edited_at: now,
  approved_at: null,
  ...(before === 'published' && flaggedBy.length > 0 && { status: 'pending_review' as const }),
});

/**
 * Follows an edit of the words of a text: its open case is about the text as it is now, and a text that rules flag has a
 * case. Call it after the row was changed.
 * @param before the status of the text before the edit
 * @param edit the rules that flag the text, and the names that it got
 */
export async function followEdit(
  text: ForumText,
  before: TextStatus,
  { flaggedBy, named }: { flaggedBy: readonly RulePattern[]; named: readonly MentionedName[] },
): Promise<void> {
  const ids = idsOfText(text);
  if (text.status === 'published') await notifyMentioned(eventOfText(ids), text.author_id, named);
  if (text.status !== before) {
    await recountThread(ids.post_id);
    await withdrawHiddenTexts(ids.post_id);
  }
  const open = await rows(
    `UPDATE forum_cases SET matched_rules = CASE WHEN $3::jsonb = '[]' THEN matched_rules ELSE $3::jsonb END
      WHERE organization_id = $1 AND text_id = $2 AND status = 'open' RETURNING id`,
    [currentOrganization(), text.id, JSON.stringify(flaggedBy)],
  );
  if (open.length === 0 && flaggedBy.length > 0) await openCase(ids, { opened_by: 'rule', matched_rules: flaggedBy });
}

/** Closes the open case of a text that its author deletes. */
export async function closeCase(text: ForumText): Promise<void> {
  const open = await lockOpenCase(text);
  if (open === null) return;
  await editRow(open, { status: 'closed' });
  await resolveNotifications('forum_case', open.id);
}

const lockOpenCase = (text: ForumText): Promise<ForumCase | null> =>
  lockForEditIfExists(ForumCase, { text_id: text.id, status: 'open' });

/** Changes the state of a text, counts its thread again, and withdraws the notifications of a text that readers do not see. */
export async function setTextState(
  text: ForumText,
  state: Pick<Change<ForumComment>, 'status' | 'published_at' | 'approved_at' | 'deleted_at' | 'deleted_by'>,
): Promise<void> {
  const { status: before } = text;
  if (text instanceof ForumPost) await editRow(text, { ...state, ...(state.deleted_at && { is_pinned: false }) });
  else await editRow(text, state);
  const ids = idsOfText(text);
  await recountThread(ids.post_id);
  if (text.status !== 'published') await withdrawHiddenTexts(ids.post_id);
  // The approval of a text that stayed visible signals nothing: its author does not learn that it was flagged.
  if (text.status !== before) publishTextChange(ids, before);
}

/**
 * Removes a text: its placeholder stays, and its author is notified and may appeal.
 * @param known the open case of the text, locked, if it is decided
 */
export async function removeText(
  text: ForumText,
  { userId, reason }: { userId: string; reason: string },
  known?: ForumCase,
): Promise<void> {
  await setTextState(text, { status: 'removed', approved_at: null, deleted_at: now, deleted_by: userId });
  const open = known ?? (await lockOpenCase(text));
  if (open) await editRow(open, { status: 'removed', decided_by: userId, decided_at: now, reason });
  const id =
    open?.id ?? (await insertCase(idsOfText(text), { opened_by: 'moderator', removal: { by: userId, reason } }));
  await resolveNotifications('forum_case', id);
  await notify(notifications.forum_case_decided, [id]);
}

/** Writes a decision to the audit log. */
export const auditCase = (row: ForumCase, verb: string, after: Record<string, unknown>): Promise<void> =>
  audit({
    action: `forum_case.${verb}`,
    subjectType: 'forum_case',
    subjectId: row.id,
    person: { userId: row.author_id },
    after,
  });
