/** Reads consent templates for the organization's admins: the published versions, and which people have agreed. */
import { findRow } from '../../database/model/read.js';
import { type Page, type PageRequest, requirePage, selectPage } from '../../database/page.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { CONSENT_METHODS } from '../vocabulary.js';
import { ConsentTemplate } from './ConsentTemplate.js';

export interface ConsentVersion {
  version: number;
  title: string;
  method: (typeof CONSENT_METHODS)[number];
  body_html: string | null;
  body_text: string | null;
  text_hash: string;
  published_by: string | null;
  published_at: string;
}

/** Lists the published versions, newest first. @throws Refusal page_not_found */
export const listVersions = (templateId: string, page: PageRequest): Promise<Page<ConsentVersion>> =>
  selectPage({
    from: 'consent_versions v',
    where: 'v.organization_id = (SELECT app.org_id()) AND v.template_id = $1',
    values: [templateId],
    orderBy: 'v.number DESC',
    key: 'v.id',
    select: `v.number AS version, v.title, v.method, v.body_html, v.body_text, v.text_hash, v.published_by, v.published_at`,
    ...page,
  });

export const CONSENT_STATES = ['due', 'given'] as const;
type ConsentState = (typeof CONSENT_STATES)[number];

export interface ConsentingPerson {
  user: string;
  first_name: string;
  last_name: string;
  membership: string;
  chapter: string;
  state: ConsentState;
  /**
   * Number of the version that the person last agreed to. It stays even if the person withdrew that consent or a newer
   * version is now asked for.
   */
  version: number | null;
  given_at: string | null;
  withdrawn_at: string | null;
}

interface ConsentingPeople extends Page<ConsentingPerson> {
  due: number;
  given: number;
}

interface ConsentListRequest extends PageRequest {
  templateId: string;
  chapter: string | undefined;
  state: ConsentState | undefined;
}

/**
 * Lists the people whom this template now asks for consent, and counts how many of them have agreed to the current
 * version, in one statement. Invited people are included once they have accepted the invitation.
 * @throws Refusal not_found, page_not_found
 */
export async function listConsentingPeople({
  templateId,
  chapter,
  state,
  page,
  pageSize,
}: ConsentListRequest): Promise<ConsentingPeople> {
  const list = await oneRow<ConsentingPeople>(
    `WITH asked AS MATERIALIZED (
       SELECT m.user_id, min(m.id::text)::uuid AS membership_id, t.published_version
         FROM consent_templates t
         JOIN memberships m ON m.organization_id = t.organization_id AND ($3::uuid IS NULL OR m.chapter_id = $3)
          AND CASE t.audience WHEN 'members' THEN app.gives_access(m.status)
                              WHEN 'officers' THEN app.leads_chapter(m.role, m.status) ELSE false END
         JOIN LATERAL (SELECT FROM affiliations f
                        WHERE f.organization_id = m.organization_id AND f.user_id = m.user_id OFFSET 0) f ON true
        WHERE t.organization_id = $1 AND t.id = $2 AND t.is_active AND t.published_version IS NOT NULL
        GROUP BY m.user_id, t.published_version),
     answered AS MATERIALIZED (
       SELECT DISTINCT ON (r.user_id) r.user_id, r.kind, r.version, r.created_at, r.ordinal FROM consent_records r
        WHERE r.organization_id = $1 AND r.template_id = $2 ORDER BY r.user_id, r.ordinal DESC),
     stands AS MATERIALIZED (
       SELECT a.user_id, a.membership_id, r.kind, r.version, r.created_at, r.ordinal,
              CASE WHEN r.kind = 'given' AND r.version = a.published_version THEN 'given' ELSE 'due' END AS state
         FROM asked a LEFT JOIN answered r ON r.user_id = a.user_id)
     SELECT count(*) FILTER (WHERE state = 'due')::int AS due, count(*) FILTER (WHERE state = 'given')::int AS given,
            count(*) FILTER (WHERE $4::text IS NULL OR state = $4)::int AS count,
            (SELECT coalesce(json_agg(one), '[]') FROM (
               SELECT s.user_id AS "user", u.first_name, u.last_name, m.id AS membership, m.chapter_id AS chapter, s.state, s.version,
                      CASE s.kind WHEN 'given' THEN s.created_at ELSE (SELECT g.created_at FROM consent_records g
                        WHERE g.organization_id = $1 AND g.template_id = $2 AND g.user_id = s.user_id AND g.ordinal = s.ordinal - 1)
                      END AS given_at,
                      CASE s.kind WHEN 'withdrawn' THEN s.created_at END AS withdrawn_at
                 FROM (SELECT * FROM stands WHERE $4::text IS NULL OR state = $4
                        ORDER BY membership_id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) s
                 JOIN memberships m ON m.organization_id = $1 AND m.id = s.membership_id
                 JOIN LATERAL (SELECT * FROM users WHERE users.id = s.user_id OFFSET 0) u ON true
                ORDER BY s.membership_id) one) AS results
       FROM stands`,
    [currentOrganization(), templateId, chapter ?? null, state ?? null],
  );
  if (list.due + list.given === 0 && !(await findRow(ConsentTemplate, templateId))) throw refuse.not_found();
  requirePage(page, list.results);
  return list;
}
