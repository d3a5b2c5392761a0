import { runningTerms } from './listTerms.js';
import { firstRow, currentOrganization } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { organizationsUpstream, type OpenWork } from '../upstream.js';
import { REQUIRED_POSITIONS } from '../vocabulary.js';

/**
 * Returns the running terms of a chapter, its vacant offices, and the open tasks for the next officers. @throws Refusal
 * not_found
 */
export async function readSuccession(chapterId: string) {
  const chapter = requireFound(
    await firstRow<{ requests: number; statuses: number; hand_overs: number; invited: number }>(
      `SELECT (SELECT count(*)::int FROM member_add_requests r WHERE r.organization_id = $1 AND r.chapter_id = c.id
                 AND r.status IN ('pending_regional', 'pending_organization')) AS requests,
              (SELECT count(*)::int FROM status_change_requests r WHERE r.organization_id = $1 AND r.chapter_id = c.id
                 AND r.status = 'pending_officer') AS statuses,
              (SELECT count(*)::int FROM hand_over_requests r WHERE r.organization_id = $1 AND r.chapter_id = c.id
                 AND r.status = 'pending') AS hand_overs,
              (SELECT count(*)::int FROM memberships m
                 JOIN invitations i ON i.organization_id = $1 AND i.membership_id = m.id AND i.state = 'open'
                WHERE m.organization_id = $1 AND m.chapter_id = c.id) AS invited
         FROM chapters c WHERE c.organization_id = $1 AND c.id = $2`,
      [currentOrganization(), chapterId],
    ),
  );
  const terms = await runningTerms(chapterId);
  const filledPositions = new Set<string>(terms.map(({ position }) => position));
  const inOrganization = `/api/organizations/${currentOrganization()}`;
  const work: OpenWork[] = [
    { kind: 'member_add_requests', count: chapter.requests, path: `/api/chapters/${chapterId}/member-add-requests/` },
    { kind: 'status_change_requests', count: chapter.statuses, path: `${inOrganization}/status-change-requests/` },
    { kind: 'hand_over_requests', count: chapter.hand_overs, path: `/api/chapters/${chapterId}/hand-over-requests/` },
    { kind: 'open_invitations', count: chapter.invited, path: `/api/chapters/${chapterId}/members/` },
    ...(await organizationsUpstream().openWork(chapterId)),
  ];
  return {
    terms,
    vacancies: REQUIRED_POSITIONS.filter((position) => !filledPositions.has(position)),
    open_work: work.filter(({ count }) => count > 0),
  };
}
