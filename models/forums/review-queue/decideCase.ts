import { editRow, lockForEdit, now, requireVersion } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { invalid, refuse, requireFound } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { forumErrors } from '../errors.js';
import { lockForumForText, requireForumAccess } from '../forums/forumAccess.js';
import { lockText } from '../lockTexts.js';
import { findMentionedNames } from '../mentions/mentionedNames.js';
import { notifyPublished } from '../notifyText.js';
import { markThreadRead } from '../posts/readMarks.js';
import { ForumPost } from '../posts/ForumPost.js';
import { type ForumText, idsOfText } from '../textIds.js';
import { auditCase, removeText, setTextState } from './cases.js';
import { ForumCase } from './ForumCase.js';
import { notifications } from './notifications.js';

export interface Decision {
  decision: 'approve' | 'remove';
  reason?: string | undefined;
  /** The version of the case that the person saw. */
  version: number;
}

/** The person who decides. */
interface Decider {
  userId: string;
  isOrganizationAdmin: boolean;
}

/** Finds a case. @throws Refusal not_found */
export const loadCase = async (id: string): Promise<ForumCase> => requireFound(await loadIfExists(ForumCase, id));

/**
 * Decides a case, or finally the appeal against a removal. The caller has checked that the person moderates the forum.
 * @throws Refusal forbidden, already_decided, stale_version, forum_archived, validation_error
 */
export async function decideCase(id: string, decider: Decider, decision: Decision): Promise<void> {
  const { forum_id, post_id, comment_id, author_id } = await loadCase(id);
  const { userId } = decider;
  if (author_id === userId) throw refuse.forbidden('Another moderator decides about your own text.');
  await lockForumForText(forum_id);
  const { forum_role: role, is_archived } = await requireForumAccess(forum_id, userId);
  if (role !== 'moderator' && role !== 'admin') throw refuse.forbidden();
  if (is_archived) throw forumErrors.forum_archived();
  const text = await lockText({ forumId: forum_id, postId: post_id, commentId: comment_id }, { userId, role });
  const row = await lockForEdit(ForumCase, id);
  if (row.status !== 'open' && row.status !== 'appealed') throw forumErrors.already_decided();
  if (row.status === 'appealed') requireAppealDecider(row, decider);
  requireVersion(row, decision.version);
  if (row.status === 'appealed') return decideAppeal(row, text, userId, decision);
  await auditCase(row, decision.decision === 'approve' ? 'approved' : 'removed', { reason: decision.reason });
  if (decision.decision === 'approve') return approve(row, text, userId, decision);
  if (decision.reason === undefined) throw invalid('reason', 'Required to remove a text. Its author reads it.');
  await removeText(text, { userId, reason: decision.reason }, row);
}

function requireAppealDecider({ decided_by }: ForumCase, { userId, isOrganizationAdmin }: Decider): void {
  if (!isOrganizationAdmin) throw refuse.forbidden('An admin of the organization decides about an appeal.');
  if (decided_by === userId) throw refuse.forbidden('You removed this text. Another admin decides about the appeal.');
}

async function approve(row: ForumCase, text: ForumText, userId: string, { reason }: Decision) {
  const { status: before, published_at } = text;
  await editRow(row, { status: 'approved', decided_by: userId, decided_at: now, reason: reason ?? null });
  await publish(text, published_at === null);
  if (before === 'pending_review') await notifyPublished(idsOfText(text), findMentionedNames(text));
  await resolveNotifications('forum_case', row.id);
  // An author whose text stayed visible does not learn that it was flagged.
  if (before !== 'published') await notify(notifications.forum_case_decided, [row.id]);
}

async function publish(text: ForumText, isFirst: boolean): Promise<void> {
  await setTextState(text, {
    status: 'published',
    approved_at: now,
    deleted_at: null,
    deleted_by: null,
    ...(isFirst && { published_at: now }),
  });
  if (isFirst && text instanceof ForumPost) await markThreadRead(text.id, text.author_id);
}

/** Decides an appeal, finally. */
async function decideAppeal(row: ForumCase, text: ForumText, userId: string, { decision, reason }: Decision) {
  const approves = decision === 'approve';
  await editRow(row, {
    status: approves ? 'approved' : 'removed',
    appeal_decided_by: userId,
    appeal_decided_at: now,
    appeal_reason: reason ?? null,
  });
  if (approves) await publish(text, text.published_at === null);
  await auditCase(row, 'appeal_decided', { decision, reason });
  await resolveNotifications('forum_case', row.id);
  await notify(notifications.forum_appeal_decided, [row.id]);
}
