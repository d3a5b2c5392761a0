import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization } from '../../database/rows.js';
import type { GraduationSeason, MembershipRole, MembershipStatus } from '../vocabulary.js';

export const LINE_OUTCOMES = ['waiting', 'moved', 'skipped', 'returned', 'kept'] as const;

export interface RolloverLine {
  membership: string;
  chapter: string;
  first_name: string;
  last_name: string;
  status: MembershipStatus;
  role: MembershipRole;
  graduation_year: number;
  graduation_season: GraduationSeason | null;
  outcome: (typeof LINE_OUTCOMES)[number];
  why: string | null;
}

interface LineListRequest extends PageRequest {
  rollover: string;
  outcome: RolloverLine['outcome'] | undefined;
}

/** Lists the members of a rollover with their outcomes, in one statement. @throws Refusal page_not_found */
export const listLines = ({ rollover, outcome, ...page }: LineListRequest): Promise<Page<RolloverLine>> =>
  selectPage({
    from: 'rollover_lines l',
    where: `l.organization_id = $1 AND l.rollover_id = $2${outcome === undefined ? '' : ' AND l.outcome = $3'}`,
    values: [currentOrganization(), rollover, ...(outcome === undefined ? [] : [outcome])],
    orderBy: 'l.id ASC',
    key: 'l.id',
    select: `l.membership_id AS membership, l.chapter_id AS chapter, u.first_name, u.last_name, l.status, l.role,
      l.graduation_year, l.graduation_season, l.outcome, l.why`,
    join: 'JOIN memberships m ON m.organization_id = l.organization_id AND m.id = l.membership_id JOIN users u ON u.id = m.user_id',
    ...page,
  });
