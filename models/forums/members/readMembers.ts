import { firstJson } from '../../database/rows.js';
import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { MemberRole } from '../vocabulary.js';

const PERSON = 'm.user_id AS "user", u.first_name, u.last_name';
const JOIN = 'JOIN users u ON u.id = m.user_id';

/** Columns of the row of a person, by what the row is. */
const COLUMNS = {
  member: `m.id, ${PERSON}, m.role, m.status_since AS joined_at, m.version`,
  invitation: `m.id, ${PERSON}, m.role, m.invited_by, m.status_since AS invited_at, m.invitation_expires_at AS expires_at`,
  request: `m.id, ${PERSON}, m.status, m.message, m.status_since AS requested_at, m.decided_by, m.note`,
} as const;

interface Person {
  id: string;
  user: string;
  first_name: string;
  last_name: string;
}
export interface MemberJson extends Person {
  role: MemberRole;
  joined_at: string;
  version: number;
}
export interface InvitationJson extends Person {
  role: MemberRole;
  invited_by: string | null;
  invited_at: string;
  expires_at: string;
}
export interface JoinRequestJson extends Person {
  status: 'requested' | 'active' | 'rejected';
  message: string | null;
  requested_at: string;
  decided_by: string | null;
  note: string | null;
}
interface Rows {
  member: MemberJson;
  invitation: InvitationJson;
  request: JoinRequestJson;
}

/** Reads the row of a person in a forum. @throws Refusal not_found */
export const readForumPerson = async <Kind extends keyof Rows>(kind: Kind, id: string): Promise<Rows[Kind]> =>
  requireFound(
    await firstJson<Rows[Kind]>(
      `SELECT ${COLUMNS[kind]} FROM forum_memberships m ${JOIN} WHERE m.organization_id = $1 AND m.id = $2`,
      [currentOrganization(), id],
    ),
  );

const CONDITIONS = {
  member: `m.status = 'active'`,
  invitation: `m.status = 'invited' AND m.invitation_expires_at > now()`,
  request: `m.status = 'requested'`,
} as const;

/** Lists members, open invitations or waiting requests of a forum, the earliest first. @throws Refusal page_not_found */
export function listForumPeople<Kind extends keyof Rows>(
  kind: Kind,
  forumId: string,
  page: PageRequest,
): Promise<Page<Rows[Kind]>> {
  const query: PageQuery = {
    from: 'forum_memberships m',
    key: 'm.id',
    where: `m.organization_id = $1 AND m.forum_id = $2 AND ${CONDITIONS[kind]}`,
    values: [currentOrganization(), forumId],
    orderBy: 'm.status_since ASC',
    select: COLUMNS[kind],
    join: JOIN,
    ...page,
  };
  return selectPage<Rows[Kind]>(query);
}
