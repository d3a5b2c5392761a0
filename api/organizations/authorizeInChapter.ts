import { refuse } from '../../models/errors.js';
import type { Actor } from '../../models/identity/Actor.js';
import { chapterExists } from '../../models/organizations/chapters.js';
import { may, type Policy } from '../http/policy.js';

/**
 * Asks the database only before it refuses: whoever may act in a chapter has it among their own, or may act in all.
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
