/** Enumerations of the organizations area (spec: Organizations area), shared by models, operations and schemas. */

export const MEMBERSHIP_STATUSES = [
  'pnm',
  'undergrad',
  'associate',
  'alumni',
  'active_alumni',
  'lifetime_alumni',
  'disaffiliated',
  'inactive',
] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

/**
 * Statuses of members who study. A prospective member who becomes a member gets one of these statuses, and graduation
 * ends it.
 */
export const STUDENT_STATUSES = ['undergrad', 'associate'] as const satisfies readonly MembershipStatus[];

export const ALUMNI_STATUSES = [
  'alumni',
  'active_alumni',
  'lifetime_alumni',
] as const satisfies readonly MembershipStatus[];

const literals = (statuses: readonly MembershipStatus[]): string => statuses.map((status) => `'${status}'`).join(', ');

/** The student and the alumni statuses as literals for an SQL list. */
export const STUDENTS_SQL = literals(STUDENT_STATUSES);
export const ALUMNI_SQL = literals(ALUMNI_STATUSES);

/** Statuses in which a member may hold a chapter office, as `app.in_active_standing` says in SQL. */
export const ACTIVE_STANDING_STATUSES: ReadonlySet<MembershipStatus> = new Set([
  ...STUDENT_STATUSES,
  'active_alumni',
  'lifetime_alumni',
]);

/**
 * Statuses that end a membership for billing. `inactive` is not among them, because it is reversible (spec: States,
 * Membership).
 */
const TERMINAL: ReadonlySet<MembershipStatus> = new Set([...ALUMNI_STATUSES, 'disaffiliated']);
export const isTerminal = (status: MembershipStatus): boolean => TERMINAL.has(status);

/** Statuses of a member who has left the chapter: the terminal ones and the reversible `inactive`. */
export const FORMER_STATUSES: readonly MembershipStatus[] = [...TERMINAL, 'inactive'];

/** Reports whether a member with this status no longer belongs to the chapter. Alumni still do. */
export const hasLeftChapter = (status: MembershipStatus): boolean =>
  status === 'inactive' || status === 'disaffiliated';

export const MEMBERSHIP_ROLES = ['member', 'officer', 'president', 'advisor', 'alumni'] as const;
export type MembershipRole = (typeof MEMBERSHIP_ROLES)[number];

/** Roles of a chapter's officers, as `app.leads_chapter` says in SQL. */
export const LEADER_ROLES: ReadonlySet<MembershipRole> = new Set(['officer', 'president']);

/** Roles that give their holder rights over other members. */
const TRUSTED: ReadonlySet<MembershipRole> = new Set(['officer', 'president', 'advisor']);
export const isTrusted = (role: MembershipRole): boolean => TRUSTED.has(role);

/** Offices of a chapter. They give no rights; rights follow the role. */
export const POSITIONS = ['president', 'vice_president', 'treasurer', 'secretary', 'intake', 'other'] as const;

/** Offices that must not be vacant. */
export const REQUIRED_POSITIONS = ['president', 'vice_president', 'treasurer', 'secretary'] as const;

export const GRADUATION_SEASONS = ['FALL', 'SPRING', 'SUMMER'] as const;
export type GraduationSeason = (typeof GRADUATION_SEASONS)[number];

/**
 * Earliest and latest graduation year, and how many years ahead it may be when a membership is created.
 * `graduation_year` is the year in which the academic year ends (spec: Membership rules 1, 3).
 */
export const GRADUATION_YEARS = { first: 1900, last: 2100, aheadOnCreation: 10 } as const;

export const CHAPTER_STATUSES = ['active', 'inactive', 'suspended'] as const;
export type ChapterStatus = (typeof CHAPTER_STATUSES)[number];

export const REGIONAL_ROLES = ['regional_director', 'coordinator', 'advisor'] as const;
export type RegionalRole = (typeof REGIONAL_ROLES)[number];

/** How officers add members: directly, or by a request that admins decide. */
export const OFFICERS_ADD_MEMBERS = ['directly', 'by_request'] as const;

/** How a person gives a consent. */
export const CONSENT_METHODS = ['click', 'typed_name'] as const;
