/** Memberships as they are read: the roster of a chapter, and one of them. */
import type { ShownRow } from '../database/model/read.js';
import { type Page, type PageQuery, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson } from '../database/rows.js';
import { pageOfChapter } from './chapters.js';
import { invitationOf, type InvitedPerson, SHOWN_EMAIL } from './invitations/invitationSql.js';
import type { Membership } from './Membership.js';
import { containing } from './search.js';
import type { MembershipRole, MembershipStatus } from './vocabulary.js';

export interface MembershipRow extends ShownRow<typeof Membership>, Omit<InvitedPerson, 'email'> {
  /** Null of somebody who was invited and declined. */
  email: string | null;
  phone_number: string | null;
}

// One person a member, by key: a plain join may read everybody of the platform for a chapter's few (measured: 20 times slower).
const PERSON = 'JOIN LATERAL (SELECT * FROM users WHERE users.id = m.user_id OFFSET 0) u ON true';
const NAMES =
  'JOIN roster_names n ON n.organization_id = m.organization_id AND n.chapter_id = m.chapter_id AND n.id = m.id';
const COLUMNS = `m.id, m.user_id AS "user", m.chapter_id AS chapter, u.first_name, u.last_name,
  ${SHOWN_EMAIL} AS email, u.phone_number,
  m.role, m.status, m.joined_date, m.graduation_year, m.graduation_season, m.pledge_class, m.line_number,
  m.crossing_semester, m.crossing_date, ${invitationOf('m', 'membership_id')}, m.version, m.created_at, m.updated_at`;

export const readMembership = (id: string): Promise<MembershipRow | null> =>
  firstJson<MembershipRow>(
    `SELECT ${COLUMNS} FROM memberships m ${PERSON} WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), id],
  );

export interface Roster extends PageRequest {
  chapter: string;
  status: MembershipStatus | undefined;
  role: MembershipRole | undefined;
  pledgeClass: string | undefined;
  graduationYear: number | undefined;
  search: string | undefined;
  /** Whether `search` looks at addresses: a match would tell an address that is not shown. */
  searchesEmail: boolean;
  orderBy: string;
}

/** In one statement. @throws Refusal not_found, page_not_found */
export const listRoster = (roster: Roster): Promise<Page<MembershipRow>> =>
  pageOfChapter(roster.chapter, selectPage<MembershipRow>(rosterPage(roster)));

/**
 * A page of the roster. By name and without a filter it comes from `roster_names` alone; otherwise names and people are
 * joined early only where they decide.
 */
export function rosterPage(roster: Roster): PageQuery {
  const { chapter, status, role, pledgeClass, graduationYear, search, searchesEmail, orderBy, page, pageSize } = roster;
  const byName = /\bn\./.test(orderBy);
  const filters = [status, role, pledgeClass, graduationYear, search || undefined];
  const whole = byName && filters.every((filter) => filter === undefined);
  const of = whole ? 'n' : 'm';
  const where = [`${of}.organization_id = (SELECT app.org_id())`];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add(`${of}.chapter_id = ?`, chapter);
  add('m.status = ?', status);
  add('m.role = ?', role);
  add('m.pledge_class = ?', pledgeClass);
  add('m.graduation_year = ?', graduationYear);
  const person = `(u.first_name || ' ' || u.last_name ILIKE ?${searchesEmail ? ` OR ${SHOWN_EMAIL} ILIKE ?` : ''})`;
  add(person, search ? containing(search) : undefined);
  const found = search ? `memberships m ${PERSON}` : 'memberships m';
  return {
    ...(whole
      ? { from: 'roster_names n', key: 'n.id', rows: { table: 'memberships m', key: 'm.id' } }
      : { from: byName ? `${found} ${NAMES}` : found, counted: found, key: 'm.id' }),
    where: where.join(' AND '),
    values,
    orderBy,
    select: COLUMNS,
    join: PERSON,
    page,
    pageSize,
  };
}
