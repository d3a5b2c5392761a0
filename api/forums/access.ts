/** Checks rights in a forum. The role is loaded with the forum: an unknown forum and an invisible one are both 404. */
import { inTenant } from '../../models/database/tenancy.js';
import { lockForum, requireForumAccess, type VisibleForum } from '../../models/forums/forums/forumAccess.js';
import type { Viewer } from '../../models/forums/lockTexts.js';
import type { PageWithAccess } from '../../models/forums/readerAccess.js';
import { joinByReading } from '../../models/forums/members/joinForum.js';
import { lockPerson } from '../../models/identity/lockPerson.js';
import type { Actor, Person } from '../../models/identity/Actor.js';
import { forumErrors } from '../../models/forums/errors.js';
import { originOf } from '../http/origin.js';
import { type PageQuery, pageAsText } from '../http/pagination.js';
import { authorize, authorizePerson, type Policy } from '../http/policy.js';
import { AfterCommit, type RequestFacts } from '../http/routes.js';

/** Requires that the actor may perform an action in the forum. @throws Refusal not_found, forbidden */
export async function inForum<Action extends string>(
  actor: Actor,
  forumId: string,
  policy: Policy<Action>,
  action: NoInfer<Action>,
): Promise<VisibleForum> {
  const access = await requireForumAccess(forumId, actor.userId);
  authorize(actor, policy, action, access);
  return access;
}

/**
 * Locks a forum for a change of its people or pins, and checks the right again under the lock.
 * @param person another person whom the change is about
 * @throws Refusal not_found, forbidden, forum_archived
 */
export async function lockInForum<Action extends string>(
  actor: Actor,
  forumId: string,
  policy: Policy<Action>,
  action: NoInfer<Action>,
  person?: string,
): Promise<VisibleForum> {
  await inForum(actor, forumId, policy, action);
  if (person !== undefined) await lockPerson(person);
  await lockForum(forumId);
  const access = await inForum(actor, forumId, policy, action);
  if (access.is_archived) throw forumErrors.forum_archived();
  return access;
}

/** The actor with their role in the forum. */
export const viewerOf = ({ userId }: Actor, { forum_role: role }: VisibleForum): Viewer => ({ userId, role });

/**
 * Answers a read. If it is the first one of a person who may join the open forum, joins in a second transaction, because
 * that of the read is read-only. Impersonated sessions read without joining.
 * @param answer reads the answer, in the transaction of the read or of the join
 */
export async function readAndJoin<T>(
  actor: Actor,
  { id, joins }: Pick<VisibleForum, 'id' | 'joins'>,
  request: RequestFacts,
  answer: () => Promise<T>,
): Promise<T | AfterCommit<T>> {
  if (!joins || actor.facts.impersonation) return answer();
  return new AfterCommit(() =>
    inTenant(
      actor.organizationId,
      async () => {
        await joinByReading(id, actor.userId);
        await requireForumAccess(id, actor.userId);
        return answer();
      },
      { origin: originOf(request, actor) },
    ),
  );
}

/**
 * Returns the answer of a list of a forum whose statement also read the access of its reader. It is null, so that the
 * handler runs, for people who see no forum and for those who join it by this read.
 */
export const answerWithAccess =
  (rules: Parameters<typeof authorizePerson<'read'>>[1]) =>
  (
    { actor, query, request }: { actor: Person; query: PageQuery; request: RequestFacts },
    row: Record<string, unknown> | undefined,
  ): string | null => {
    const page = row as unknown as PageWithAccess;
    if (page.forum_role === null || (page.joins && !actor.facts.impersonation)) return null;
    authorizePerson(actor, rules, 'read', page);
    return pageAsText(page, query, request);
  };
