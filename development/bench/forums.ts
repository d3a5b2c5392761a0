/** Prepares the benchmark of forums: the forum and thread of each reader, and members who write hostile Markdown. */
import type { Client } from 'pg';
import type { Call } from './protocol.js';
import type { SignedIn } from './world.js';

/** The forum of an organization with most members, and its thread with most comments. */
interface BusyForum {
  organizationId: string;
  forumId: string;
  postId: string;
}

export interface ForumReader extends SignedIn, BusyForum {}

/** Returns the people with the forum of their organization that they read. */
export async function chooseForums(owner: Client, people: SignedIn[]): Promise<ForumReader[]> {
  const { rows } = await owner.query<BusyForum>(
    `SELECT DISTINCT ON (f.organization_id) f.organization_id AS "organizationId", f.id AS "forumId", p.id AS "postId"
       FROM forums f JOIN forum_posts p ON p.organization_id = f.organization_id AND p.forum_id = f.id AND p.deleted_at IS NULL
      WHERE f.visibility = 'open' AND f.chapter_id IS NULL AND f.region_id IS NULL
      ORDER BY f.organization_id, f.member_count DESC, p.comment_count DESC, p.id`,
  );
  const forums = new Map(rows.map((forum) => [forum.organizationId, forum]));
  return people.map((person) => ({ ...person, ...(forums.get(person.organizationId) as BusyForum) }));
}

export const feedPath = ({ forumId }: BusyForum): string => `/api/forums/${forumId}/posts/`;
export const commentsPath = ({ forumId, postId }: BusyForum): string =>
  `/api/forums/${forumId}/posts/${postId}/comments/`;

/** Maximum number of moderation rules of an organization. */
const RULES = 500;

/** Gives the organizations of the readers as many moderation rules as possible, none of which matches a post. */
export async function insertRules(owner: Client, readers: ForumReader[]): Promise<void> {
  const organizations = [...new Set(readers.map(({ organizationId }) => organizationId))];
  await owner.query(
    `INSERT INTO moderation_rules (organization_id, kind, pattern, action)
     SELECT o, CASE n % 5 WHEN 0 THEN 'link' ELSE 'keyword' END,
            CASE n % 5 WHEN 0 THEN 'spam-' || n || '.example' WHEN 1 THEN 'spam' || n || '*' ELSE 'cheap offer ' || n END, 'block'
       FROM unnest($1::uuid[]) o, generate_series(1, ${RULES}) n`,
    [organizations],
  );
  await owner.query(
    `INSERT INTO forum_settings (organization_id, rules_version) SELECT o, 1 FROM unnest($1::uuid[]) o
     ON CONFLICT (organization_id) DO UPDATE SET rules_version = forum_settings.rules_version + 1`,
    [organizations],
  );
}

/** Hides a few posts of the forums and comments of the threads, so that moderators see longer lists than members. */
export async function hideTexts(owner: Client, readers: BusyForum[]): Promise<void> {
  const hide = (table: string, parent: string, ids: string[]) =>
    owner.query(
      `UPDATE ${table} t SET status = 'hidden'
         FROM (SELECT id, row_number() OVER (PARTITION BY ${parent} ORDER BY created_at DESC, id) AS n
                 FROM ${table} WHERE ${parent} = ANY ($1::uuid[]) AND deleted_at IS NULL) numbered
        WHERE numbered.id = t.id AND n % 500 = 10`,
      [ids],
    );
  await hide(
    'forum_posts',
    'forum_id',
    readers.map(({ forumId }) => forumId),
  );
  await hide(
    'forum_comments',
    'post_id',
    readers.map(({ postId }) => postId),
  );
}

/** Maximum length of a post. */
const BODY_LENGTH = 20_000;
/** Repeated, these take longest to render: 15 to 60 ms for 20,000 characters. */
const HOSTILE_PARTS = ['***a', '_*', 'a*', '\n- - - a'];

/** Returns the calls of four people, each of whom posts a text that is hostile in another way. */
export const hostilePosts = (writers: ForumReader[]): Call[] =>
  HOSTILE_PARTS.map((part, n) => {
    const writer = writers[n] as ForumReader;
    return {
      method: 'POST',
      path: feedPath(writer),
      headers: { ...writer.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Hostile', body: `x${part.repeat((BODY_LENGTH - 1) / part.length)}` }),
    };
  });
