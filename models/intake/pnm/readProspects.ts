/** Reads prospective members for the people who decide on them. */
import { audit } from '../../database/audit.js';
import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { type ShownRow, shownSql } from '../../database/model/read.js';
import { currentOrganization, firstJson } from '../../database/rows.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { anyLike, containing } from '../../organizations/search.js';
import type { MembershipStatus } from '../../organizations/vocabulary.js';
import type { PnmStage } from '../vocabulary.js';
import { PnmProfile } from './PnmProfile.js';

interface Person {
  user: string;
  first_name: string;
  last_name: string;
  /** Null for a person who was invited and declined. */
  email: string | null;
  status: MembershipStatus;
}

export interface Prospect extends ShownRow<typeof PnmProfile>, Person {
  /** Names of the requirements that are still missing for an approval. */
  problems: string[];
}

const MEMBER = `JOIN memberships m ON m.organization_id = pnm_profiles.organization_id AND m.id = pnm_profiles.membership_id`;
// SQL that joins the user of each row. The subquery makes Postgres look the user up by key for each row; with a plain
// join it may read all users of the platform for a few rows.
const PERSON = 'JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true';
const PERSON_COLUMNS = `m.user_id AS "user", u.first_name, u.last_name, ${shownEmail('u')} AS email, m.status`;

export const readProspect = (id: string): Promise<Prospect | null> =>
  firstJson<Prospect>(
    `SELECT ${shownSql(PnmProfile)}, ${PERSON_COLUMNS},
            ARRAY(SELECT problem FROM app.intake_problems($1, $2)) AS problems FROM pnm_profiles ${MEMBER} ${PERSON}
      WHERE pnm_profiles.organization_id = $1 AND pnm_profiles.id = $2`,
    [currentOrganization(), id],
  );

/**
 * Records in the audit log that a person has downloaded the packet (a ZIP file with the application and the letters) of
 * a prospective member.
 */
export const auditPacketRead = ({ id, user }: Prospect): Promise<void> =>
  audit({ action: 'pnm_profile.packet_read', subjectType: 'pnm_profile', subjectId: id, person: { userId: user } });

export interface QueueEntry extends Person {
  id: string;
  membership: string;
  chapter: string;
  recruitment_period: string | null;
  stage: PnmStage;
  crossed_at: string | null;
  created_at: string;
}

export interface Queue extends PageRequest {
  /** Only people in this chapter. Default: all chapters. */
  chapter?: string | undefined;
  stage?: PnmStage | undefined;
  /** Status of the membership. */
  status?: MembershipStatus | undefined;
  /** Recruitment period in which the person joined the intake. */
  period?: string | undefined;
  search?: string | undefined;
  /**
   * Filters on the application. `flagged`: average below the minimum; `unverified`: mailbox not confirmed; `missing`:
   * requirements missing.
   */
  flagged?: boolean | undefined;
  unverified?: boolean | undefined;
  missing?: boolean | undefined;
}

const applicationCondition = (condition: string): string => `EXISTS (SELECT FROM pnm_applications a
  WHERE a.organization_id = pnm_profiles.organization_id AND a.profile_id = pnm_profiles.id AND a.state = 'received' AND ${condition}
    AND a.recruitment_period_id = pnm_profiles.recruitment_period_id) = ?`;

/** Lists prospective members, the newest first, in one statement. @throws Refusal page_not_found */
export const listProspects = (queue: Queue): Promise<Page<QueueEntry>> =>
  selectPage<QueueEntry>(queuePage(queue), { usesGenericPlan: !queue.search });

/** Returns the query of `listProspects`, the newest first. */
export function queuePage({
  chapter,
  stage,
  status,
  period,
  search,
  flagged,
  unverified,
  missing,
  ...page
}: Queue): PageQuery {
  const values: unknown[] = [];
  const where = ['pnm_profiles.organization_id = (SELECT app.org_id())'];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add('pnm_profiles.chapter_id = ?', chapter);
  add('pnm_profiles.stage = ?', stage);
  add('pnm_profiles.recruitment_period_id = ?', period);
  add('m.status = ?', status);
  add(applicationCondition('a.below_minimum_gpa'), flagged);
  add(applicationCondition('NOT a.is_proven'), unverified);
  add('EXISTS (SELECT FROM app.intake_problems(pnm_profiles.organization_id, pnm_profiles.id)) = ?', missing);
  add(
    `(${anyLike([`u.first_name || ' ' || u.last_name`], '?')} OR ${shownEmail('u')} LIKE ?)`,
    search ? containing(search) : undefined,
  );
  const narrowing = search ? `${MEMBER} ${PERSON}` : status ? MEMBER : '';
  return {
    from: `pnm_profiles pnm_profiles ${narrowing}`,
    where: where.join(' AND '),
    values,
    orderBy: 'pnm_profiles.id DESC',
    key: 'pnm_profiles.id',
    join: `${MEMBER} ${PERSON}`,
    select: `pnm_profiles.id, pnm_profiles.membership_id AS membership, pnm_profiles.chapter_id AS chapter, ${PERSON_COLUMNS},
      pnm_profiles.recruitment_period_id AS recruitment_period, pnm_profiles.stage, to_json(pnm_profiles.crossed_at) #>> '{}' AS crossed_at, pnm_profiles.created_at`,
    ...page,
  };
}
