/**
 * The authenticated caller: who acts, in which organization, and with which rights. Loaded once per request, in one
 * round trip.
 */

export interface ActorMembership {
  id: string;
  chapter_id: string;
  role: 'member' | 'officer' | 'president' | 'advisor' | 'alumni';
  status: string;
  /** Leads the chapter: officer or president in active standing, as `app.leads_chapter` decides. */
  leads_chapter: boolean;
}

interface ActorRegion {
  id: string;
  role: string;
  chapter_ids: string[];
}

export const AUTH_METHODS = ['password', 'passkey', 'saml', 'oauth'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** The impersonation of this person by an admin. */
export interface ImpersonationFacts {
  id: string;
  /** The admin's user id. */
  actor_id: string;
  organization_id: string;
  ends_at: string;
  /** `ends_at` in Unix seconds. */
  deadline: number;
}

/**
 * The facts that `app.load_actor` returns for a route that only requires that the caller belongs to the organization.
 */
export interface PersonFacts {
  session_id: string;
  client: 'web' | 'native';
  auth: {
    /** How the person most recently authenticated in this session. */
    method: AuthMethod;
    /** Whether that authentication is at most 15 minutes old. */
    is_recent: boolean;
    /** Whether an organization's identity provider began the session, which confines it to that organization. */
    is_confined: boolean;
  };
  /**
   * The impersonation, if an admin uses this session to act as the person. Null or absent if the person uses it
   * themselves.
   */
  impersonation?: ImpersonationFacts | null;
  user: { id: string; email: string; first_name: string; last_name: string };
  is_platform_admin: boolean;
  must_change_password: boolean;
  organization_id: string | null;
  /**
   * Whether the person has an office or a membership that gives access. Absent if offices and memberships were loaded,
   * because these then show it.
   */
  belongs?: boolean;
}

/** The facts that `app.load_actor` returns for a route that needs the caller's offices and memberships. */
export interface ActorFacts extends PersonFacts {
  impersonation: ImpersonationFacts | null;
  is_organization_admin: boolean;
  regions: ActorRegion[];
  memberships: ActorMembership[];
  /** Null if the person has no role in the foundation, or has neither an office nor a membership that gives access. */
  foundation_role: 'admin' | 'editor' | null;
}

/** Membership statuses that give no access. Must match `app.gives_access` in SQL. */
export const NO_ACCESS_STATUSES: ReadonlySet<string> = new Set(['pnm', 'disaffiliated', 'inactive']);

/** A person with a session. */
export class Person {
  /**
   * Names of the rules that were already checked for this person in this request. They are kept in this object, so that
   * they never outlive the request, as entries of a global map could.
   */
  readonly checkedRules = new Set<string>();

  constructor(readonly facts: PersonFacts) {}

  get userId(): string {
    return this.facts.user.id;
  }

  get sessionId(): string {
    return this.facts.session_id;
  }

  get isPlatformAdmin(): boolean {
    return this.facts.is_platform_admin;
  }

  /** The tenant of this request. @throws Error on routes that have none */
  get organizationId(): string {
    if (!this.facts.organization_id) throw new Error('This route has no tenant.');
    return this.facts.organization_id;
  }

  /** Reports whether this person has access to the organization of the request. */
  get hasAccess(): boolean {
    return this.isPlatformAdmin || this.facts.belongs === true;
  }
}

/** A person with a session, together with their offices and memberships. */
export class Actor extends Person {
  constructor(override readonly facts: ActorFacts) {
    super(facts);
  }

  /** Memberships whose status gives access (spec: membership rule 7). */
  get activeMemberships(): ActorMembership[] {
    return this.facts.memberships.filter((membership) => !NO_ACCESS_STATUSES.has(membership.status));
  }

  override get hasAccess(): boolean {
    return this.isNationalAdmin || this.facts.regions.length > 0 || this.activeMemberships.length > 0;
  }

  /** True for platform admins and admins of the organization (spec: IsNationalAdmin). */
  get isNationalAdmin(): boolean {
    return this.isPlatformAdmin || this.facts.is_organization_admin;
  }

  get isRegionalAdmin(): boolean {
    return this.facts.regions.length > 0;
  }

  /** Chapters of the regions that this person administers. */
  get regionalChapterIds(): string[] {
    return this.facts.regions.flatMap((region) => region.chapter_ids);
  }

  /** Chapters in which this person is an officer or the president, in active standing (spec: IsChapterOfficer). */
  get officerChapterIds(): string[] {
    return this.facts.memberships.filter((m) => m.leads_chapter).map((m) => m.chapter_id);
  }

  get memberChapterIds(): string[] {
    return this.activeMemberships.map((membership) => membership.chapter_id);
  }

  get membershipIds(): string[] {
    return this.facts.memberships.map((membership) => membership.id);
  }
}
