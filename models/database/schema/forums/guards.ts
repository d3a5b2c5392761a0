import { type Guards, isolate, trackEdits, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  forum_settings: [isolate('SELECT, INSERT, UPDATE'), trackEdits('rules_version')],
  forums: [isolate(), trackEdits('member_count')],
  // Rows are never deleted, except with their forum: they say who left and who was removed.
  forum_memberships: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  forum_posts: [
    isolate(
      `SELECT, INSERT, UPDATE (title, body, body_html, status, published_at, approved_at, is_pinned, is_locked,
         comment_count, last_activity_at, edited_at, deleted_at, deleted_by, version, updated_at)`,
    ),
    trackEdits('comment_count'),
  ],
  forum_comments: [
    isolate(
      `SELECT, INSERT, UPDATE (body, body_html, status, published_at, approved_at, edited_at, deleted_at, deleted_by,
         version, updated_at)`,
    ),
    trackUpdates,
  ],
  // Rows are deleted with the words of their text, and above a maximum.
  forum_revisions: [isolate('SELECT, INSERT, DELETE')],
  forum_reads: [isolate()],
  forum_attachments: [isolate('SELECT, INSERT, DELETE, UPDATE (file_id, post_id, comment_id, position)')],
  forum_withdrawals: [isolate('SELECT, INSERT, UPDATE (finished_at)')],
  moderation_rules: [isolate(), trackUpdates],
  forum_cases: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  // Flags are never changed, except that the words of an erased person are erased.
  forum_flags: [isolate('SELECT, INSERT, UPDATE (reason, note)')],
};
