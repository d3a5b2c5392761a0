/** Computes how complete members' records are, on each read. Returns names of fields, never their values. */
import { type Page, type PageRequest, requirePage } from '../../database/page.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { chapterExists } from '../chapters.js';
import { refuse } from '../../errors.js';
import type { COMPLETENESS_FIELDS } from './CompletenessConfig.js';
import type { MembershipStatus } from '../vocabulary.js';
import { BUILT_IN } from './config.js';

type Field = (typeof COMPLETENESS_FIELDS)[number];

export interface Completeness {
  /**
   * Weighted share of present fields, rounded down, so that 100 means complete. It is also 100 when no field counts for
   * the member.
   */
  percent: number;
  fields: { field: Field; is_present: boolean }[];
}

export interface MemberCompleteness {
  membership: string;
  first_name: string;
  last_name: string;
  status: MembershipStatus;
  percent: number;
  missing: Field[];
}

export interface ChapterCompleteness extends Page<MemberCompleteness> {
  /** Average percentage of the members for whom at least one field counts, rounded down; null when there are none. */
  average: number | null;
  whole: number;
}

/**
 * SQL for the fields that count in organization `$1`: its own choice, or the built-in fields `$2` if it has made none.
 */
const COUNTED = 'coalesce((SELECT fields FROM completeness_configs WHERE organization_id = $1), $2::jsonb)';
/**
 * SQL for the percentage of weight that the filled fields have; null if no field counts. Integer division rounds it
 * down.
 */
const PERCENT = '(100 * coalesce(sum(weight) FILTER (WHERE is_present), 0) / sum(weight))::int';
const sharedValues = () => [currentOrganization(), JSON.stringify(BUILT_IN)];

export const readCompleteness = (membershipId: string): Promise<Completeness> =>
  oneRow<Completeness>(
    `SELECT coalesce(${PERCENT}, 100) AS percent,
            coalesce(json_agg(json_build_object('field', field, 'is_present', is_present) ORDER BY nth), '[]') AS fields
       FROM app.counted_fields($1, $3, ${COUNTED})`,
    [...sharedValues(), membershipId],
  );

/**
 * Returns the completeness of each member of a chapter for whom at least one field counts, in one statement. The
 * average covers all these members; the results contain only one list page.
 * @throws Refusal not_found, page_not_found
 */
export async function readChapterCompleteness(
  chapterId: string,
  { page, pageSize, orderBy }: PageRequest & { orderBy: string },
): Promise<ChapterCompleteness> {
  const direction = orderBy.endsWith('DESC') ? 'DESC' : 'ASC';
  const order = `ORDER BY ${orderBy}, id ${direction}`;
  const completeness = await oneRow<ChapterCompleteness>(
    `WITH counted AS MATERIALIZED (
       SELECT n.id, n.name, c.percent, c.missing
         FROM roster_names n
         JOIN LATERAL (SELECT ${PERCENT} AS percent,
                              coalesce(json_agg(field ORDER BY nth) FILTER (WHERE NOT is_present), '[]') AS missing
                         FROM app.counted_fields($1, n.id, ${COUNTED})) c ON c.percent IS NOT NULL
        WHERE n.organization_id = $1 AND n.chapter_id = $3)
     SELECT count(*)::int AS count, floor(avg(percent))::int AS average,
            count(*) FILTER (WHERE percent = 100)::int AS whole,
            (SELECT coalesce(json_agg(one), '[]') FROM (
               SELECT cut.id AS membership, u.first_name, u.last_name, m.status, cut.percent, cut.missing
                 FROM (SELECT * FROM counted ${order} LIMIT $4 OFFSET $5) cut
                 JOIN LATERAL (SELECT user_id, status FROM memberships
                                WHERE organization_id = $1 AND memberships.id = cut.id OFFSET 0) m ON true
                 JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
                ${order.replaceAll(/\b(name|percent|id)\b/g, 'cut.$1')}) one) AS results
       FROM counted`,
    [...sharedValues(), chapterId, pageSize, (page - 1) * pageSize],
  );
  if (completeness.count === 0 && !(await chapterExists(chapterId))) throw refuse.not_found();
  requirePage(page, completeness.results);
  return completeness;
}
