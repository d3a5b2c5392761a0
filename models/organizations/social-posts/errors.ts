/** What posts at the professional network refuse. */
import { defineErrors } from '../../errors.js';

export const socialPostErrors = defineErrors({
  social_account_missing: [409, 'Link your account of the network first: a post goes out through it.'],
  social_post_not_yours: [403, 'A post goes out through the account of whoever wrote it: only they may do this.'],
  social_post_under_way: [409, 'The post is on its way. Look again in a moment.'],
  social_post_published: [409, 'The post is published.'],
  social_post_not_scheduled: [409, 'The post is not scheduled.'],
  social_post_closed: [409, 'The post is at the network, or may be: it stays as it was said.'],
  social_post_unknown: [
    409,
    'Nobody knows whether the post was made. Look at your account of the network; `again` publishes it if it cannot be found.',
  ],
});
