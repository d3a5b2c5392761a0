/** Reads memberships: the roster of a chapter, and single members. */
import type { ShownRow } from '../database/model/read.js';
import { type Page, type PageQuery, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import { pageOfChapter } from './chapters.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { invitationOf, type InvitedPerson } from './invitations/invitationSql.js';
import type { Membership } from './Membership.js';
import { anyLike, containing } from './search.js';
import type { MembershipRole, MembershipStatus } from './vocabulary.js';

export interface MembershipRow extends ShownRow<typeof Membership>, InvitedPerson {
  phone_number: string | null;
}

// Each member's person is looked up by key. A plain join may read all people of the platform for a small chapter
// (measured: 20 times slower).
const PERSON = 'JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true';
const NAMES =
  'JOIN roster_names n ON n.organization_id = m.organization_id AND n.chapter_id = m.chapter_id AND n.id = m.id';
const MEMBER = 'JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id';
const columnsOf = (
  alias: 'm' | 'narrow',
): string => `m.id, m.user_id AS "user", m.chapter_id AS chapter, u.first_name, u.last_name,
  ${shownEmail('u')} AS email, u.phone_number,
  ${alias}.role, ${alias}.status, m.joined_date, m.graduation_year, m.graduation_season, m.pledge_class, m.line_number,
  m.crossing_semester, m.crossing_date, ${invitationOf('m', 'membership_id')}, m.version, m.created_at, m.updated_at`;

export const readMembership = (id: string): Promise<MembershipRow | null> =>
  firstJson<MembershipRow>(
    `SELECT ${columnsOf('m')} FROM memberships m ${PERSON} WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), id],
  );

export interface RosterRequest extends PageRequest {
  chapter: string;
  /** The roster at the end of this day. Default: the present one. */
  on: string | undefined;
  status: MembershipStatus | undefined;
  role: MembershipRole | undefined;
  pledgeClass: string | undefined;
  graduationYear: number | undefined;
  search: string | undefined;
  /**
   * Whether `search` also looks at addresses. False for a caller who may not see addresses, because a match would
   * reveal one.
   */
  searchesEmail: boolean;
  orderBy: string;
}

/** Lists the roster in one statement. @throws Refusal not_found, page_not_found */
export const listRoster = (roster: RosterRequest): Promise<Page<MembershipRow>> =>
  pageOfChapter(roster.chapter, selectPage<MembershipRow>(rosterPage(roster), { usesGenericPlan: !roster.search }));

/** SQL: whether period `p` was valid at the end of a day. */
const AT_THE_END_OF = (day: string): string => `p.valid_from <= ${day} AND (p.valid_to IS NULL OR p.valid_to > ${day})`;
/**
 * SQL that selects the names in chapter `$1`, each with the period of the membership's history that was valid at the
 * end of day `$2`. It reads only indexes, in name order, and no more rows than the page needs.
 */
const NAMES_ON_DAY = `
  (SELECT * FROM roster_names WHERE organization_id = (SELECT app.org_id()) AND chapter_id = $1) n
  JOIN LATERAL (
    SELECT p.organization_id, p.chapter_id, p.membership_id, p.status, p.role, p.valid_from, p.valid_to FROM membership_periods p
     WHERE p.organization_id = n.organization_id AND p.chapter_id = n.chapter_id AND p.membership_id = n.id
       AND ${AT_THE_END_OF('$2::date')} OFFSET 0) p ON true`;

/**
 * Returns the query of one roster page, which joins as few tables as possible. An unfiltered roster sorted by name is
 * paged from `roster_names` alone. In other cases, names and people are joined before paging only if the filter or the
 * sort order uses them. The members of an earlier day's roster are counted from `membership_periods`.
 */
export function rosterPage(roster: RosterRequest): PageQuery {
  const { chapter, on, status, role, pledgeClass, graduationYear, search, searchesEmail, page, pageSize } = roster;
  const state = on === undefined ? 'm' : 'p';
  const orderBy = roster.orderBy.replace(/\bm\.(?=status|role)/, `${state}.`);
  const byName = /\bn\./.test(orderBy);
  const hasMemberFilter = [pledgeClass, graduationYear, search || undefined].some((filter) => filter !== undefined);
  const isUnfiltered = byName && [status, role].every((filter) => filter === undefined) && !hasMemberFilter;
  const base = on !== undefined ? 'p' : isUnfiltered ? 'n' : 'm';
  const where = [`${base}.organization_id = (SELECT app.org_id())`];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add(`${base}.chapter_id = ?`, chapter);
  add(AT_THE_END_OF('?::date'), on);
  add(`${state}.status = ?`, status);
  add(`${state}.role = ?`, role);
  add('m.pledge_class = ?', pledgeClass);
  add('m.graduation_year = ?', graduationYear);
  const person = `(${anyLike([`u.first_name || ' ' || u.last_name`], '?')}${searchesEmail ? ` OR ${shownEmail('u')} LIKE ?` : ''})`;
  add(person, search ? containing(search) : undefined);
  const shared = {
    where: where.join(' AND '),
    values,
    orderBy,
    select: columnsOf(on === undefined ? 'm' : 'narrow'),
    page,
    pageSize,
  };
  const matching = search ? `memberships m ${PERSON}` : 'memberships m';
  const rows = { table: 'memberships m', key: 'm.id' };
  if (on === undefined)
    return {
      ...(isUnfiltered
        ? { from: 'roster_names n', key: 'n.id', rows }
        : { from: byName ? `${matching} ${NAMES}` : matching, counted: matching, key: 'm.id' }),
      ...shared,
      join: PERSON,
    };
  const member = `${hasMemberFilter || !byName ? MEMBER : ''} ${search ? PERSON : ''}`;
  return {
    from: `${byName ? NAMES_ON_DAY : 'membership_periods p'} ${member}`,
    counted: `membership_periods p ${hasMemberFilter ? member : ''}`,
    key: byName ? 'n.id' : 'p.membership_id',
    rows,
    ...shared,
    carried: 'p.status, p.role',
    join: PERSON,
  };
}
