/** Error codes of posts on the professional network. */
import { defineErrors } from '../../errors.js';

export const socialPostErrors = defineErrors({
  social_account_missing: [409, 'Link your account on the network first: posts are published through it.'],
  social_post_not_yours: [
    403,
    "Only the author may do this, because the post is published through the author's account.",
  ],
  social_post_under_way: [409, 'The post is being published. Check again in a moment.'],
  social_post_published: [409, 'The post is already published.'],
  social_post_not_scheduled: [409, 'The post is not scheduled.'],
  social_post_closed: [409, 'The post is published or may be published already, so it can no longer be changed.'],
  social_post_unknown: [
    409,
    'It is unknown whether the post was published. If you send the request with `again: true`, we look for the post on the network and publish it only if it is not there.',
  ],
});
