import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface PublishSocialPostInput extends TenantInput {
  socialPostId: string;
}

export type PublishSocialPostOutcome = 'published' | 'failed' | 'unknown' | 'called_off';

/** Publishes a post at the professional network when it is due. */
export const publishSocialPost = {
  ...tenantProcess,
  name: 'publishSocialPost',
  kind: 'social_post',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ socialPostId }) => `social-post/${socialPostId}`,
  // A post may be scheduled again.
  allowRestart: true,
  subject: { type: 'social_post', id: 'socialPostId' },
  summary: 'Publish a post on the professional network',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The post waits for its publication time.',
    publishing: 'The post is being sent to the network.',
    looking: 'The response was lost. The post is being searched for on the network.',
  },
  ends: {
    published: 'The post is published.',
    failed: 'The network refused the post, or the author may no longer post for the organization.',
    unknown: 'The post may be published. The author must check on the network.',
    called_off: 'The post is no longer to be published.',
  },
  steps: {
    untilPostIsDue: 'the publication time to be read',
    sendPost: 'the network to accept the post',
    lookForPost: 'the network to report whether the post is published',
  },
  sleepsUntil: 'the publication time, or the next search for the post',
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'called_off',
    says: 'A scheduled post becomes a draft again. A post that is being sent is not stopped.',
  },
  example: (newId) => ({ socialPostId: newId() }),
} as const satisfies ProcessContract<PublishSocialPostInput, PublishSocialPostOutcome>;
