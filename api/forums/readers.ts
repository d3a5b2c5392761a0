import { loadIfExists } from '../../models/database/model/read.js';
import { findForumAccess } from '../../models/forums/forums/forumAccess.js';
import { findText } from '../../models/forums/lockTexts.js';
import { findForumSubject } from '../../models/forums/readSubject.js';
import { ForumCase } from '../../models/forums/review-queue/ForumCase.js';
import type { Actor } from '../../models/identity/Actor.js';
import { may } from '../http/policy.js';
import { defineReaders } from '../http/readers.js';
import { requestPolicy } from './join-requests/routes.js';
import { postPolicy } from './posts/routes.js';
import { forumCasePolicy } from './review-queue/routes.js';

/** Whether the actor moderates the forum of a text. */
async function moderates(actor: Actor, { forum_id }: { forum_id: string }): Promise<boolean> {
  const access = await findForumAccess(forum_id, actor.userId);
  return access !== null && may(actor, forumCasePolicy, 'decide', access);
}

defineReaders({
  forum_post: async (actor, id) => {
    const found = await findForumSubject('forum_post', id, actor.userId);
    return found !== null && may(actor, postPolicy, 'read', found);
  },
  forum_membership: async (actor, id) => {
    const found = await findForumSubject('forum_membership', id, actor.userId);
    return found !== null && (found.user_id === actor.userId || may(actor, requestPolicy, 'read', found));
  },
  forum_case: async (actor, id) => {
    const found = await loadIfExists(ForumCase, id);
    return found !== null && found.author_id !== actor.userId && moderates(actor, found);
  },
  forum_text: async (actor, id) => {
    const found = await findText(id);
    return found !== null && (found.author_id === actor.userId || moderates(actor, found));
  },
});
