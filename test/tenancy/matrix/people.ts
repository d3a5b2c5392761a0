/** The people of the matrix, and how far a grant reaches for each. */
import type { Subject } from '../../../api/http/policy.js';
import { Actor, type ActorMembership } from '../../../models/identity/Actor.js';

/** own: rows of their own chapter or region; other: other rows; self: rows about themselves, in another chapter. */
export type Reach = 'all' | 'own' | 'other' | 'self' | 'own, self' | 'own, other' | 'other, self';

const [CHAPTER, REGION, ELSEWHERE, FAR, PERSON, OTHER_PERSON, ASIDE] = [
  'chapter',
  'region',
  'other chapter',
  'other region',
  'person',
  'other person',
  'third chapter',
];
const [MEMBERSHIP, OLD_MEMBERSHIP, OTHER_MEMBERSHIP] = ['membership', 'old membership', 'other membership'];

interface Role {
  platform?: boolean;
  national?: boolean;
  regional?: boolean;
  membership?: Pick<ActorMembership, 'role' | 'status' | 'leads_chapter'>;
  foundation?: 'admin' | 'editor';
  /** Role in the forum of their own rows. */
  forum?: NonNullable<Subject['forum_role']>;
}

const member = (role: ActorMembership['role'], status = 'undergrad'): Role => ({
  membership: { role, status, leads_chapter: false },
});
const leader = (role: ActorMembership['role']): Role => ({
  membership: { role, status: 'undergrad', leads_chapter: true },
});

export const PEOPLE = {
  platform: { platform: true },
  national: { national: true },
  regional: { regional: true },
  officer: leader('officer'),
  president: leader('president'),
  member: member('member'),
  advisor: member('advisor'),
  alumni: member('alumni', 'alumni'),
  /** An officer with an inactive membership: the database allows none, and it must have no access. */
  former: member('officer', 'inactive'),
  prospective: member('member', 'pnm'),
  /** Members who run the foundation: elsewhere they may do what members may. */
  foundationAdmin: { ...member('member'), foundation: 'admin' },
  foundationEditor: { ...member('member'), foundation: 'editor' },
  /** Members with a role in a forum. */
  forumReader: { ...member('member'), forum: 'reader' },
  forumMember: { ...member('member'), forum: 'member' },
  forumModerator: { ...member('member'), forum: 'moderator' },
  forumAdmin: { ...member('member'), forum: 'admin' },
} satisfies Record<string, Role>;

export type PersonName = keyof typeof PEOPLE;

/** Everybody has an old, inactive membership in a third chapter, which is only their own. */
export function actorOf({ platform = false, national = false, regional = false, membership, foundation }: Role): Actor {
  const old: ActorMembership = {
    id: OLD_MEMBERSHIP,
    chapter_id: ASIDE,
    role: 'member',
    status: 'inactive',
    leads_chapter: false,
  };
  return new Actor({
    session_id: 'session',
    client: 'web',
    auth: { method: 'password', is_recent: true, is_confined: false },
    impersonation: null,
    user: { id: PERSON, email: 'person@example.org', first_name: 'First', last_name: 'Last' },
    is_platform_admin: platform,
    must_change_password: false,
    organization_id: 'organization',
    is_organization_admin: national,
    regions: regional ? [{ id: REGION, role: 'coordinator', chapter_ids: [CHAPTER] }] : [],
    foundation_role: foundation ?? null,
    memberships: membership ? [old, { id: MEMBERSHIP, chapter_id: CHAPTER, ...membership }] : [old],
  });
}

const SUBJECTS: Record<'own' | 'other' | 'self', Subject> = {
  own: { chapter_id: CHAPTER, region_id: REGION, membership_id: OTHER_MEMBERSHIP, user_id: OTHER_PERSON },
  other: { chapter_id: ELSEWHERE, region_id: FAR, membership_id: OTHER_MEMBERSHIP, user_id: OTHER_PERSON },
  self: { chapter_id: ASIDE, region_id: FAR, membership_id: OLD_MEMBERSHIP, user_id: PERSON },
};

/**
 * @param holds whether an action is granted on a subject
 * @returns null when it is granted on none
 */
export function reachOf({ forum }: Role, holds: (subject: Subject) => boolean): Reach | null {
  const subjects = { ...SUBJECTS, own: { ...SUBJECTS.own, forum_role: forum ?? null } };
  const names = (Object.keys(subjects) as (keyof typeof SUBJECTS)[]).filter((name) => holds(subjects[name]));
  if (names.length === 0) return null;
  return (names.length === 3 ? 'all' : names.join(', ')) as Reach;
}

/** Subject of a policy -> action -> reach of each person; a person who is not listed has no access. */
export type Matrix = Record<string, Record<string, Partial<Record<PersonName, Reach>>>>;
