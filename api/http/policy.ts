/**
 * Authorization as data: for each action, a policy lists grants, at least one of which must hold. A subject carries the
 * fields that grants compare. Grants do not check the tenant, because row level security already hides rows of other
 * tenants.
 */
import { refuse } from '../../models/errors.js';
import type { Actor, Person } from '../../models/identity/Actor.js';

/** Roles in a forum, the lowest first. */
const FORUM_ROLES = ['reader', 'member', 'moderator', 'admin'] as const;

/** Fields that object-level grants compare. */
export interface Subject {
  chapter_id?: string | null;
  region_id?: string | null;
  membership_id?: string | null;
  user_id?: string | null;
  /** Role of the actor in the forum of the subject, loaded with the forum by `app.forum_role`. */
  forum_role?: (typeof FORUM_ROLES)[number] | null;
}

export interface Grant {
  name: string;
  holds: (actor: Actor, subject: Subject) => boolean;
}

/** A grant that needs neither offices nor memberships of the person. */
interface PersonGrant extends Grant {
  holds: (person: Person, subject: Subject) => boolean;
}

const grant = (name: string, holds: Grant['holds']): Grant => ({ name, holds });
const personGrant = (name: string, holds: PersonGrant['holds']): PersonGrant => ({ name, holds });
const includes = (ids: string[], id: string | null | undefined): boolean => id != null && ids.includes(id);

/** The spec's permission classes, as grants. */
export const platformAdmin = grant('platform admin', (actor) => actor.isPlatformAdmin);
export const nationalAdmin = grant('IsNationalAdmin', (actor) => actor.isNationalAdmin);
/** Requires that the person holds the admin role of this organization; being a platform admin is not enough. */
export const organizationAdmin = grant('organization admin, in person', (actor) => actor.facts.is_organization_admin);
/** @public Not used yet. It is one of the spec's permission classes, kept for future policies. */
export const regionalAdminOfRegion = grant(
  'IsRegionalAdmin (own region)',
  (actor, { region_id }) =>
    actor.isPlatformAdmin ||
    includes(
      actor.facts.regions.map(({ id }) => id),
      region_id,
    ),
);
export const regionalAdminOfChapter = grant(
  'IsRegionalAdmin (chapter in own region)',
  (actor, { chapter_id }) => actor.isPlatformAdmin || includes(actor.regionalChapterIds, chapter_id),
);
export const anyRegionalAdmin = grant('IsRegionalAdmin', (actor) => actor.isPlatformAdmin || actor.isRegionalAdmin);
export const officerOfChapter = grant(
  'IsChapterOfficer (own chapter)',
  (actor, { chapter_id }) => actor.isPlatformAdmin || includes(actor.officerChapterIds, chapter_id),
);
/** Requires holding the office; being a platform admin is not enough. */
export const officerOfChapterInPerson = grant('officer of the chapter, in person', (actor, { chapter_id }) =>
  includes(actor.officerChapterIds, chapter_id),
);
export const regionalAdminOfChapterInPerson = grant(
  'admin of the region of the chapter, in person',
  (actor, { chapter_id }) => includes(actor.regionalChapterIds, chapter_id),
);
export const anyOfficer = grant(
  'IsChapterOfficer',
  (actor) => actor.isPlatformAdmin || actor.officerChapterIds.length > 0,
);
export const memberOfChapter = grant(
  'IsChapterMember (own chapter)',
  (actor, { chapter_id }) => actor.isPlatformAdmin || includes(actor.memberChapterIds, chapter_id),
);
export const self = grant(
  'the person concerned',
  (actor, { membership_id, user_id }) => includes(actor.membershipIds, membership_id) || user_id === actor.userId,
);
/**
 * The person concerned, unless they are an officer. So a value that is hidden from officers is also hidden from the
 * officer whom it concerns.
 */
export const selfUnlessOfficer = grant(
  'the person concerned, who is no officer',
  (actor, { membership_id }) => actor.officerChapterIds.length === 0 && includes(actor.membershipIds, membership_id),
);
/**
 * Spec: IsFoundationAdmin. Requires that the person was appointed as a foundation admin; being a platform admin is not
 * enough.
 */
export const foundationAdmin = grant('IsFoundationAdmin', (actor) => actor.facts.foundation_role === 'admin');
/** Spec: IsFoundationEditor. Foundation admins hold it as well. */
export const foundationEditor = grant('IsFoundationEditor', (actor) => actor.facts.foundation_role !== null);
const forumRole = (name: string, lowest: (typeof FORUM_ROLES)[number]): PersonGrant =>
  personGrant(
    name,
    (_person, { forum_role: role }) => role != null && FORUM_ROLES.indexOf(role) >= FORUM_ROLES.indexOf(lowest),
  );
/** Everybody who sees the forum. */
export const forumReader = forumRole('reader of the forum', 'reader');
/** Members of the forum, and people with an office over it. */
export const forumMember = forumRole('IsForumMemberOrAdmin', 'member');
export const forumModerator = forumRole('moderator of the forum', 'moderator');
export const forumAdmin = forumRole('admin of the forum', 'admin');
/** Everybody who belongs to the organization. */
export const anyone = personGrant('anyone of the organization', (person) => person.hasAccess);

/** People who manage the rows of a chapter. */
export const chapterManagers: readonly Grant[] = [nationalAdmin, regionalAdminOfChapter, officerOfChapter];

export interface Policy<Action extends string = string> {
  /** Kind of row that the policy is about, for the matrix test. */
  subject: string;
  actions: Record<Action, readonly Grant[]>;
}

const policies: Policy[] = [];

/**
 * Declares who may do what with a kind of row. The result keeps the types of the grants, so that `authorizePerson` accepts
 * only actions that need no memberships.
 */
export function policy<Action extends string, Grants extends Record<Action, readonly Grant[]>>(
  subject: string,
  actions: Grants & Record<Action, readonly Grant[]>,
): Policy<Action> & { actions: Grants } {
  const declared = { subject, actions };
  policies.push(declared);
  return declared;
}

/** All declared policies, for the matrix test. */
export const allPolicies = (): readonly Policy[] => policies;

/** Rule of a route: at least one of these actions must be checked before it answers; or the reason why none is. */
export type Rule = { policy: Policy; actions: readonly string[] } | { none: string };

/** Rule that checks one of these actions. */
export const by = <Action extends string>(rules: Policy<Action>, ...actions: [Action, ...Action[]]): Rule => ({
  policy: rules,
  actions,
});

/** Rule of a route that checks no policy, with the reason. */
export const withoutRule = (why: string): Rule => ({ none: why });

const nameOf = ({ subject }: Policy, action: string): string => `${subject}: ${action}`;

/**
 * Checks that the handler checked the rule of its route before it responded.
 * @throws Error if it did not
 */
export function requireRuleChecked(rule: Rule | undefined, actor: Person): void {
  if (!rule || 'none' in rule) return;
  const names = rule.actions.map((action) => nameOf(rule.policy, action));
  if (names.some((name) => actor.checkedRules.has(name))) return;
  throw new Error(`The handler did not check the rule of its route (${names.join(', ')}).`);
}

export function may<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
  subject: Subject = {},
): boolean {
  actor.checkedRules.add(nameOf(rules, action));
  return rules.actions[action].some((candidate) => candidate.holds(actor, subject));
}

/**
 * Runs checks of what else the actor may do, for an answer that lists actions. They do not count as the check of the
 * route's own rule.
 */
export function outsideRule<T>(actor: Actor, checks: () => T): T {
  const checked = new Set(actor.checkedRules);
  const result = checks();
  for (const name of actor.checkedRules) if (!checked.has(name)) actor.checkedRules.delete(name);
  return result;
}

/**
 * Returns the chapters whose rows a list may show, because the policy allows the action there. Null: all chapters of
 * the organization.
 */
export function chaptersWithin<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
): string[] | null {
  if (may(actor, rules, action)) return null;
  const { officerChapterIds, memberChapterIds, regionalChapterIds } = actor;
  const own = new Set([...officerChapterIds, ...memberChapterIds, ...regionalChapterIds]);
  const chapters = [...own].filter((chapter_id) => may(actor, rules, action, { chapter_id }));
  if (chapters.length === 0) throw refuse.forbidden();
  return chapters;
}

/**
 * Requires that the actor may perform the action.
 * @throws Refusal forbidden
 */
export function authorize<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
  subject: Subject = {},
): void {
  if (!may(actor, rules, action, subject)) throw refuse.forbidden();
}

/**
 * Requires that a person, whose offices and memberships were not loaded, may perform the action.
 * @throws Refusal forbidden
 */
export function authorizePerson<Action extends string>(
  person: Person,
  rules: Policy & { actions: Record<Action, readonly PersonGrant[]> },
  action: Action,
  subject: Subject = {},
): void {
  person.checkedRules.add(nameOf(rules, action));
  const grants: readonly PersonGrant[] = rules.actions[action];
  if (!grants.some((candidate) => candidate.holds(person, subject))) throw refuse.forbidden();
}
