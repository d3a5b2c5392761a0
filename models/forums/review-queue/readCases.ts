/** Reads cases about texts of forums. Only people who may decide about the texts of others read who flagged. */
import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { RulePattern } from '../moderation-rules/compileRules.js';
import type { TextAuthor } from '../textColumns.js';
import type { CASE_ORIGINS, CASE_STATUSES, TextStatus } from '../vocabulary.js';

export interface CaseJson {
  id: string;
  forum: { id: string; name: string };
  post: string;
  comment: string | null;
  author: TextAuthor;
  /** Title of the post; null once its author has deleted it, or it is erased. */
  title: string | null;
  status: (typeof CASE_STATUSES)[number];
  text_status: TextStatus;
  opened_by: (typeof CASE_ORIGINS)[number];
  matched_rules: RulePattern[];
  flag_count: number;
  can_decide: boolean;
  created_at: string;
  appealed_at: string | null;
  version: number;
}

export interface CaseDetailJson extends CaseJson {
  body: string | null;
  body_html: string | null;
  flags: { user: TextAuthor; reason: string | null; note: string | null; created_at: string }[];
  decided_by: string | null;
  decided_at: string | null;
  reason: string | null;
  appeal_text: string | null;
  appeal_decided_by: string | null;
  appeal_decided_at: string | null;
  appeal_reason: string | null;
}

/** Maximum number of flags in an answer, the newest ones. */
export const MAX_SHOWN_FLAGS = 100;

/** SQL: columns of case `k` with its forum `f`, post `p`, comment `c` and author `a`, for user `$1`. */
const CASE = `k.id, json_build_object('id', f.id, 'name', f.name) AS forum, k.post_id AS post, k.comment_id AS comment,
  json_build_object('id', a.id, 'first_name', a.first_name, 'last_name', a.last_name) AS author,
  CASE WHEN p.deleted_by IS DISTINCT FROM p.author_id THEN p.title END AS title, k.status,
  coalesce(c.status, p.status) AS text_status, k.opened_by, k.matched_rules,
  (SELECT count(*)::int FROM forum_flags fl WHERE fl.organization_id = k.organization_id AND fl.case_id = k.id) AS flag_count,
  app.decides_forum_case(k.organization_id, $1, k.forum_id, k.author_id, k.status, k.decided_by) AS can_decide,
  k.created_at, k.appealed_at, k.version`;

/** SQL: a column of the text of the case; null once its author has deleted it. */
const shownColumn = (column: string): string =>
  `CASE WHEN c.id IS NOT NULL AND c.deleted_by IS DISTINCT FROM c.author_id THEN c.${column}
        WHEN c.id IS NULL AND p.deleted_by IS DISTINCT FROM p.author_id THEN p.${column} END AS ${column}`;

const JOINS = `JOIN forums f ON f.organization_id = k.organization_id AND f.id = k.forum_id
  JOIN forum_posts p ON p.organization_id = k.organization_id AND p.id = k.post_id
  LEFT JOIN forum_comments c ON c.organization_id = k.organization_id AND c.id = k.comment_id
  JOIN users a ON a.id = k.author_id`;

/** SQL: forums with cases that wait, in which user `$1` is a moderator or an admin. The role is evaluated once per forum. */
const OWN_FORUMS = `(SELECT w.id FROM forums w WHERE w.organization_id = (SELECT app.org_id())
    AND EXISTS (SELECT FROM forum_cases o
      WHERE o.organization_id = w.organization_id AND o.forum_id = w.id AND o.status IN ('open', 'appealed'))
    AND app.forum_role(w.organization_id, $1, w.id) IN ('moderator', 'admin') OFFSET 0)`;

/**
 * Lists the cases that wait in forums that the person moderates, the oldest first.
 * @param decidesAppeals whether the person is an admin of the organization, who sees appeals as well
 * @throws Refusal page_not_found
 */
export function listCases(userId: string, decidesAppeals: boolean, page: PageRequest): Promise<Page<CaseJson>> {
  const query: PageQuery = {
    from: 'forum_cases k',
    key: 'k.id',
    where: `k.organization_id = $2 AND k.status IN (${decidesAppeals ? "'open', 'appealed'" : "'open'"})
      AND k.forum_id IN ${OWN_FORUMS}`,
    values: [userId, currentOrganization()],
    orderBy: '',
    select: CASE,
    join: JOINS,
    ...page,
  };
  return selectPage<CaseJson>(query);
}

/** Reads a case with its text and flags, for a person who decides about the texts of others. @throws Refusal not_found */
export const readCase = async (id: string, userId: string): Promise<CaseDetailJson> =>
  requireFound(
    await firstJson<CaseDetailJson>(
      `SELECT ${CASE}, ${shownColumn('body')}, ${shownColumn('body_html')},
              (SELECT coalesce(json_agg(one), '[]') FROM (
                 SELECT json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) AS "user",
                        fl.reason, fl.note, fl.created_at
                   FROM forum_flags fl JOIN users u ON u.id = fl.user_id
                  WHERE fl.organization_id = k.organization_id AND fl.case_id = k.id
                  ORDER BY fl.created_at DESC, fl.user_id LIMIT ${MAX_SHOWN_FLAGS}) one) AS flags,
              k.decided_by, k.decided_at, k.reason, k.appeal_text, k.appeal_decided_by, k.appeal_decided_at, k.appeal_reason
         FROM forum_cases k ${JOINS} WHERE k.organization_id = $2 AND k.id = $3`,
      [userId, currentOrganization(), id],
    ),
  );
