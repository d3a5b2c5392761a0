import type { Migration } from '../../schemaFiles.js';

/** Creates the forums: their settings, members, posts, comments and attachments, and the moderation of texts. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, [
    'forums',
    'memberships',
    'posts',
    'revisions',
    'attachments',
    'moderation',
    'subscriptions',
    'withdrawals',
  ]);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      forum_flags, forum_cases, moderation_rules, forum_withdrawals, forum_attachments, forum_reads, forum_revisions, forum_comments,
      forum_posts, forum_memberships, forums, forum_settings CASCADE;
  `);
