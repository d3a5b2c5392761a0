/** Who is acting, in which organization, and how far they reach: loaded once a request, in one round trip. */

export interface ActorMembership {
  id: string;
  chapter_id: string;
  role: 'member' | 'officer' | 'president' | 'advisor' | 'alumni';
  status: string;
  /** Leads the chapter: officer or president in active standing, as `app.leads_chapter` says. */
  leads_chapter: boolean;
}

interface ActorRegion {
  id: string;
  role: string;
  chapter_ids: string[];
}

export const AUTH_METHODS = ['password', 'passkey', 'saml', 'oauth'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** An admin who sees what this person sees. */
export interface ImpersonationFacts {
  id: string;
  /** The admin's user id. */
  actor_id: string;
  organization_id: string;
  ends_at: string;
  /** `ends_at` in Unix seconds. */
  deadline: number;
}

/** What `app.load_actor` answers of somebody who only has to belong here. */
export interface PersonFacts {
  session_id: string;
  client: 'web' | 'native';
  auth: {
    /** The proof that the session rests on, the newest. */
    method: AuthMethod;
    /** It is not older than 15 minutes. */
    is_recent: boolean;
    /** Begun by an organization's identity provider: does not leave that organization. */
    is_confined: boolean;
  };
  /** Null or not there in a session of the person's own. */
  impersonation?: ImpersonationFacts | null;
  user: { id: string; email: string; first_name: string; last_name: string };
  is_platform_admin: boolean;
  must_change_password: boolean;
  organization_id: string | null;
  /** Holds an office or a membership that gives access; not there where these were read themselves. */
  belongs?: boolean;
}

/** What it answers of somebody whose offices and memberships are asked for. */
export interface ActorFacts extends PersonFacts {
  impersonation: ImpersonationFacts | null;
  is_organization_admin: boolean;
  regions: ActorRegion[];
  memberships: ActorMembership[];
}

const NO_ACCESS = new Set(['pnm', 'disaffiliated', 'inactive']);

/** Somebody with a session. */
export class Person {
  /** Rules that were asked about them, and so within one request. A WeakMap of them would outlive the request by far. */
  readonly asked = new Set<string>();

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

  /** Whether this person may act in the organization of the request at all. */
  get stands(): boolean {
    return this.isPlatformAdmin || this.facts.belongs === true;
  }
}

/** Somebody with a session, and how far they reach. */
export class Actor extends Person {
  constructor(override readonly facts: ActorFacts) {
    super(facts);
  }

  /** Memberships whose status lets their holder in (spec: membership rule 7). */
  get activeMemberships(): ActorMembership[] {
    return this.facts.memberships.filter((membership) => !NO_ACCESS.has(membership.status));
  }

  override get stands(): boolean {
    return this.isNationalAdmin || this.facts.regions.length > 0 || this.activeMemberships.length > 0;
  }

  /** Spec: IsNationalAdmin. */
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
