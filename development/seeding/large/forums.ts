/**
 * The forums of a large organization: one of each chapter, and one of all people (number 0), with three fifths of the
 * posts. Posts are 100 minutes apart, the newest two weeks old. A sixth of the comments are on the newest post.
 */
import type { Client } from 'pg';
import { renderMarkdown } from '../../../models/markdown.js';
import { largeSlug, type Scale } from './scale.js';
import { demoEmail } from '../people.js';

export const COMMENTS_PER_POST = 3;
/** SQL: number of the forum of post `n`. */
const FORUM_OF_POST = (chapters: number): string =>
  `CASE WHEN n % 5 < 3 THEN 0 ELSE (n / 5 * 2 + n % 5 - 3) % ${chapters} + 1 END`;

const PARAGRAPH =
  'The **deposit** is due on the first, and the house needs one more week for the rooms on the second floor. ' +
  'Please ask [the office](https://example.org/office) before you move anything, and tell your roommate.';
const TEXTS = [
  PARAGRAPH,
  `Three things:\n\n- the keys\n- the _list_ of the rooms\n- the budget\n\n${PARAGRAPH}`,
  `${PARAGRAPH}\n\n> Who keeps the keys?\n\nI do. ${PARAGRAPH}\n\n1. Sign the list.\n2. Return the key.`,
  'Thanks, that works for us.',
];

/** Inserts forums with their members, posts, comments and reads. */
export async function insertForums(
  client: Client,
  organizationId: string,
  organization: number,
  { chapters, posts }: Scale,
): Promise<void> {
  const forums: ForumSeed = { client, organizationId, organization };
  await insertForumsAndMembers(forums);
  await planTexts(forums, chapters, posts);
  await insertTexts(forums);
}

interface ForumSeed {
  client: Client;
  organizationId: string;
  organization: number;
}

/** Fills `seeding_forum_people`: the members of each forum, numbered from 0. The organization's admin is admin. */
async function insertForumsAndMembers({ client, organizationId, organization }: ForumSeed): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_forum_people ON COMMIT DROP AS
     SELECT f, pg_temp.seeded_id('forum', $1::int * 1000 + f) AS forum_id, user_id, email,
            row_number() OVER (PARTITION BY f ORDER BY c, n) - 1 AS at
       FROM seeding_people CROSS JOIN LATERAL (VALUES (0), (c)) forum (f) WHERE app.gives_access(status)`,
    [organization],
  );
  await client.query(
    `INSERT INTO forums (id, organization_id, name, chapter_id, visibility, created_at)
     SELECT pg_temp.seeded_id('forum', $2::int * 1000), $1::uuid, 'Everybody', NULL::uuid, 'open', now() - interval '1 year'
     UNION ALL
     SELECT pg_temp.seeded_id('forum', $2::int * 1000 + c), $1::uuid, 'Chapter ' || lpad(c::text, 3, '0'), chapter_id,
            (ARRAY['open','open','approval_required','invite_only'])[c % 4 + 1], now() - interval '1 year'
       FROM (SELECT DISTINCT c, chapter_id FROM seeding_people) chapters`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, status_since)
     SELECT $1, forum_id, user_id, CASE WHEN email = $2 THEN 'admin' WHEN f > 0 AND at = 0 THEN 'admin' ELSE 'member' END,
            'active', now() - interval '1 year' + at * interval '1 minute' FROM seeding_forum_people ORDER BY f, at`,
    [organizationId, demoEmail('admin', largeSlug(organization))],
  );
}

/** Fills `seeding_posts` and `seeding_comments`. Texts deleted more than 30 days ago are erased. */
async function planTexts({ client, organization }: ForumSeed, chapters: number, posts: number): Promise<void> {
  // Without statistics, and without the sizes, each text would be joined with all people of its forum.
  await client.query(
    `CREATE TEMPORARY TABLE seeding_forum_sizes ON COMMIT DROP AS
     SELECT f, count(*) AS size FROM seeding_forum_people GROUP BY f`,
  );
  await client.query('ANALYZE seeding_forum_people, seeding_forum_sizes');
  await client.query(
    `CREATE TEMPORARY TABLE seeding_posts ON COMMIT DROP AS
     SELECT planned.*, pg_temp.seeded_id('forum post', $1::bigint * 100000 + n) AS id, p.forum_id, p.user_id AS author_id
       FROM (SELECT n, ${FORUM_OF_POST(chapters)} AS f, now() - interval '14 days' - (${posts} - n) * interval '100 minutes' AS created,
                    n % 40 = 7 AND n <= ${posts} * 9 / 10 AS erased FROM generate_series(1, ${posts}) n) planned
       JOIN seeding_forum_sizes s ON s.f = planned.f
       JOIN seeding_forum_people p ON p.f = planned.f AND p.at = n * 7919 % s.size`,
    [organization],
  );
  await client.query(
    `CREATE TEMPORARY TABLE seeding_comments ON COMMIT DROP AS
     SELECT c.n, pg_temp.seeded_id('forum comment', $1::bigint * 100000 + c.n) AS id, t.id AS post_id, t.forum_id,
            p.user_id AS author_id, t.created + CASE WHEN c.n % 6 = 0 THEN c.n * interval '1 minute'
                                                     ELSE (c.n % 14 + 1) * interval '90 minutes' END AS created,
            c.n % 60 = 13 AND t.n <= ${posts} * 9 / 10 AS erased
       FROM generate_series(1, ${posts * COMMENTS_PER_POST}) c (n)
       JOIN seeding_posts t ON t.n = CASE WHEN c.n % 6 = 0 THEN ${posts} ELSE c.n::bigint * 7919 % ${posts - 1} + 1 END
       JOIN seeding_forum_sizes s ON s.f = t.f
       JOIN seeding_forum_people p ON p.f = t.f AND p.at = c.n::bigint * 6007 % s.size`,
    [organization],
  );
  await client.query('ANALYZE seeding_posts, seeding_comments');
}

async function insertTexts({ client, organizationId }: ForumSeed): Promise<void> {
  const values = [organizationId, TEXTS, TEXTS.map(renderMarkdown)];
  const body = (erased: string) =>
    [2, 3].map((parameter) => `CASE WHEN NOT ${erased} THEN ($${parameter}::text[])[n % 4 + 1] END`).join(', ');
  const deletion = `CASE WHEN erased THEN created + interval '1 hour' END, CASE WHEN erased THEN author_id END`;
  await client.query(
    `INSERT INTO forum_posts (id, organization_id, forum_id, author_id, title, body, body_html, is_pinned, is_locked,
                              comment_count, last_activity_at, deleted_at, deleted_by, request_hash, created_at, updated_at)
     SELECT t.id, $1, t.forum_id, t.author_id, CASE WHEN NOT erased THEN 'Rooms and keys, part ' || n END, ${body('erased')},
            n IN (100, 200, 300), n % 50 = 1, coalesce(c.number, 0), coalesce(c.latest, created), ${deletion}, 'seed', created, created
       FROM seeding_posts t
       LEFT JOIN (SELECT post_id, count(*) FILTER (WHERE NOT erased) AS number, max(created) AS latest
                    FROM seeding_comments GROUP BY post_id) c ON c.post_id = t.id
      ORDER BY t.n`,
    values,
  );
  await client.query(
    `INSERT INTO forum_comments (id, organization_id, forum_id, post_id, author_id, body, body_html, deleted_at, deleted_by,
                                 request_hash, created_at, updated_at)
     SELECT id, $1, forum_id, post_id, author_id, ${body('erased')}, ${deletion}, 'seed', created, created
       FROM seeding_comments ORDER BY n`,
    values,
  );
  await client.query(
    `INSERT INTO forum_reads (organization_id, post_id, user_id, read_until)
     SELECT $1, post_id, author_id, max(created) FROM seeding_comments GROUP BY post_id, author_id`,
    [organizationId],
  );
}
