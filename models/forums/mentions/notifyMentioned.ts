import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import type { MentionedName } from './mentionedNames.js';
import { resolveNames, type TextEvent } from './mentions.js';

/** Notifies the people whom a text names, except its author. A person who has a notification of the text gets no other. */
export async function notifyMentioned(
  { postId, cause }: TextEvent,
  author: string,
  names: readonly MentionedName[],
): Promise<void> {
  const people = (await resolveNames(names)).flatMap(({ user }) => user ?? []);
  const to = people.filter((user) => user !== author);
  if (to.length > 0) await notify(notifications.forum_mention, [postId], { to, actor: author, cause });
}
