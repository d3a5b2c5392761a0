import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface ForumWithdrawalInput extends TenantInput {
  postId: string;
  /** Version of the post when the withdrawal began. */
  version: string;
}

export type ForumWithdrawalOutcome = 'withdrawn';

/** Withdraws the notifications of texts of a thread that readers no longer see, page by page. */
export const forumWithdrawal = {
  ...bulkProcess,
  name: 'forumWithdrawal',
  kind: 'forum_withdrawal',
  workflowId: ({ postId, version }) => `forum-withdrawal/${postId}/${version}`,
  // A second text of the thread may be hidden while the post keeps its version.
  allowRestart: true,
  subject: { type: 'forum_post', id: 'postId' },
  summary: 'Withdraw notifications of a hidden text',
  stages: { withdrawing: 'Fan-outs are called off, and unread notifications are being withdrawn in pages.' },
  ends: { withdrawn: 'Unread notifications of the text are withdrawn, and unsent ones are not sent.' },
  steps: { withdrawForumPage: 'the next notifications to be withdrawn' },
  cancel: { when: 'never', says: 'Readers no longer see the text, so nobody may hear of it.' },
  example: (newId) => ({ postId: newId(), version: '1' }),
} as const satisfies ProcessContract<ForumWithdrawalInput, ForumWithdrawalOutcome>;
