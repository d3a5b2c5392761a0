/** A forum of all members, with a thread. */
import type { Client } from 'pg';
import { renderMarkdown } from '../../models/markdown.js';

const QUESTION =
  'Which weekend suits **your** chapter for the service day?\n\n- the first of the month\n- the last of the month';
const ANSWER = 'The last one: midterms are over by then.';

/** Inserts a forum, whose admin is the admin of the organization, with a question and an answer. */
export async function insertForum(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `WITH forum AS (
       INSERT INTO forums (organization_id, name, description)
       VALUES ($1, 'Everybody', 'Questions and answers of all chapters.') RETURNING id),
     admin AS (SELECT user_id FROM organization_admins WHERE organization_id = $1 AND is_active ORDER BY id LIMIT 1),
     member AS (SELECT user_id FROM memberships WHERE organization_id = $1 AND status = 'undergrad' ORDER BY id LIMIT 1),
     joined AS (
       INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status)
       SELECT $1, forum.id, user_id, 'admin', 'active' FROM forum, admin
       UNION ALL
       SELECT $1, forum.id, user_id, 'member', 'active' FROM forum, member),
     post AS (
       INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, request_hash, comment_count)
       SELECT $1, forum.id, user_id, 'A date for the service day', $2, $3, 'seed', 1 FROM forum, admin
       RETURNING id, forum_id)
     INSERT INTO forum_comments (organization_id, forum_id, post_id, author_id, body, body_html, request_hash)
     SELECT $1, forum_id, id, user_id, $4, $5, 'seed' FROM post, member`,
    [organizationId, QUESTION, renderMarkdown(QUESTION), ANSWER, renderMarkdown(ANSWER)],
  );
}
