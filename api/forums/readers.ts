import { findForumSubject } from '../../models/forums/readSubject.js';
import { may } from '../http/policy.js';
import { defineReaders } from '../http/readers.js';
import { requestPolicy } from './join-requests/routes.js';
import { postPolicy } from './posts/routes.js';

defineReaders({
  forum_post: async (actor, id) => {
    const found = await findForumSubject('forum_post', id, actor.userId);
    return found !== null && may(actor, postPolicy, 'read', found);
  },
  forum_membership: async (actor, id) => {
    const found = await findForumSubject('forum_membership', id, actor.userId);
    return found !== null && (found.user_id === actor.userId || may(actor, requestPolicy, 'read', found));
  },
});
