import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { chapterExists } from '../../models/organizations/chapters.js';
import { may, type Policy } from '../http/policy.js';

/**
 * Authorizes an action in a chapter. An actor with the right needs no query: the chapter is one of their own, or they
 * may act in all chapters. Only before a refusal is the database asked whether the chapter exists.
 * @throws Refusal not_found for a chapter that this tenant does not have, else forbidden
 */
export async function authorizeInChapter<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
  chapterId: string,
): Promise<void> {
  if (may(actor, rules, action, { chapter_id: chapterId })) return;
  throw (await chapterExists(chapterId)) ? refuse.forbidden() : refuse.not_found();
}
