import type { ProcessContract, TenantInput } from './process.js';

export interface PublishSocialPostInput extends TenantInput {
  socialPostId: string;
}

export type PublishSocialPostOutcome = 'published' | 'failed' | 'unknown' | 'called_off';

/** Publishes a post at the professional network when it is due. */
export const publishSocialPost = {
  name: 'publishSocialPost',
  kind: 'social_post',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ socialPostId }) => `social-post/${socialPostId}`,
  // A post may be scheduled again.
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'social_post', id: 'socialPostId' },
  chapterId: () => null,
  summary: 'Publish a post at the professional network',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The post waits for its time.',
    publishing: 'The network is asked to publish the post.',
    looking: 'The answer was lost: the post is looked for at the network.',
  },
  ends: {
    published: 'The post is at the network.',
    failed: 'The network did not take the post, or its author may not speak for the organization any more.',
    unknown: 'The post may be at the network: its author has to look.',
    called_off: 'Nobody wants it published now.',
  },
  steps: {
    untilPostIsDue: 'the time of the post to be read',
    sendPost: 'the network to take the post',
    lookForPost: 'the network to say whether the post is there',
  },
  sleepsUntil: 'the time of the post, or the next look for it',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'called_off',
    says: 'A post that waits is a draft again. One that is on its way goes on.',
  },
  example: (newId) => ({ socialPostId: newId() }),
} as const satisfies ProcessContract<PublishSocialPostInput, PublishSocialPostOutcome>;
