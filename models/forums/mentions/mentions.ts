/** Resolves the names in texts of a forum to people. */
import { currentOrganization, rows } from '../../database/rows.js';
import { findByHandles } from '../../organizations/member-handles/memberHandles.js';
import { findMentionedNames, type MentionedName, type WrittenText } from './mentionedNames.js';

export const MENTION_REASONS = ['cannot_read_forum', 'unknown'] as const;

/** A person whom a text names, for the person who wrote it. */
export interface MentionJson {
  username: string;
  /** Null for an unknown name. */
  user: string | null;
  notified: boolean;
  /** Why the name leads to no notification; null if the person sees the forum. */
  reason: (typeof MENTION_REASONS)[number] | null;
}

/** Identifies a text and its event. */
export interface TextEvent {
  forumId: string;
  postId: string;
  /** `post`, or `comment:<id>`. */
  cause: string;
}

export const eventIdOf = ({ postId, cause }: TextEvent): string => `forum_post:${postId}:${cause}`;

/** A name in a text, and the person who has it; null for an unknown name. */
interface ResolvedName {
  username: string;
  user: string | null;
}

/** Finds the people by the names in a text. */
export async function resolveNames(names: readonly MentionedName[]): Promise<ResolvedName[]> {
  if (names.length === 0) return [];
  const people = await findByHandles(names.flatMap(({ name, typed }) => [name, typed]));
  return names.map(({ name, typed }) => {
    const username = people.has(typed) ? typed : name;
    return { username, user: people.get(username) ?? null };
  });
}

/** Describes whom a text names, and who was notified. */
export async function readMentions(event: TextEvent, text: WrittenText): Promise<MentionJson[]> {
  const names = await resolveNames(findMentionedNames(text));
  if (names.length === 0) return [];
  const found = await rows<{ user_id: string; sees: boolean; notified: boolean }>(
    `SELECT who.user_id, app.forum_role($1, who.user_id, $3) IS NOT NULL AS sees,
            EXISTS (SELECT FROM notifications n WHERE n.organization_id = $1 AND n.event_id = $4 AND n.recipient_id = who.user_id
               AND n.unlisted_reason IS DISTINCT FROM 'withdrawn') AS notified
       FROM unnest($2::uuid[]) AS who (user_id)`,
    [currentOrganization(), names.flatMap(({ user }) => user ?? []), event.forumId, eventIdOf(event)],
  );
  const states = new Map(found.map((row) => [row.user_id, row]));
  return names.map(({ username, user }) => {
    const state = user === null ? undefined : states.get(user);
    const reason = state === undefined ? 'unknown' : state.sees ? null : 'cannot_read_forum';
    return { username, user, notified: state?.notified ?? false, reason };
  });
}
