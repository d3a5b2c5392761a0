/**
 * Authorization as data: a policy names, per action, the grants of which one must hold.
 * Subjects carry what the grants compare; the tenant is settled before, by row level security.
 */
import { refuse } from '../../models/errors.js';
import type { Actor, Person } from '../../models/identity/Actor.js';

/** What object-level grants look at. */
export interface Subject {
  chapter_id?: string | null;
  region_id?: string | null;
  membership_id?: string | null;
  user_id?: string | null;
}

export interface Grant {
  name: string;
  holds(actor: Actor, subject: Subject): boolean;
}

const grant = (name: string, holds: Grant['holds']): Grant => ({ name, holds });
const includes = (ids: string[], id: string | null | undefined): boolean => id != null && ids.includes(id);

/** The spec's permission classes, as grants. */
export const platformAdmin = grant('platform admin', (actor) => actor.isPlatformAdmin);
export const nationalAdmin = grant('IsNationalAdmin', (actor) => actor.isNationalAdmin);
/** A row of their own in this organization: being a platform admin is not enough. */
export const organizationAdmin = grant('organization admin, in person', (actor) => actor.facts.is_organization_admin);
/** @public one of the spec's classes, for policies to come */
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
/** The same of those alone who hold it themselves: running the platform is not enough. */
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
/** @public one of the spec's classes, for policies to come */
export const anyMember = grant(
  'IsChapterMember',
  (actor) => actor.isPlatformAdmin || actor.activeMemberships.length > 0,
);
export const self = grant(
  'the person concerned',
  (actor, { membership_id, user_id }) => includes(actor.membershipIds, membership_id) || user_id === actor.userId,
);
/** What is kept from officers is kept from them as persons, too. */
export const selfAsNoOfficer = grant(
  'the person concerned, who is no officer',
  (actor, { membership_id }) => actor.officerChapterIds.length === 0 && includes(actor.membershipIds, membership_id),
);
/** Anyone who stands in the organization. */
export const anyone = grant('anyone of the organization', (actor) => actor.stands);

export interface Policy<Action extends string = string> {
  /** What the policy is about, for the matrix test. */
  subject: string;
  actions: Record<Action, readonly Grant[]>;
}

const policies: Policy[] = [];

/** Declares who may do what with a kind of row. */
export function policy<Action extends string>(
  subject: string,
  actions: Record<Action, readonly Grant[]>,
): Policy<Action> {
  const declared = { subject, actions };
  policies.push(declared);
  return declared;
}

/** Every declared policy: the matrix test walks them. */
export const allPolicies = (): readonly Policy[] => policies;

/** What a route asks before it answers, one of these actions at least, or why it asks nothing. */
export type Rule = { policy: Policy; actions: readonly string[] } | { none: string };

/** Says by which rule a route admits. */
export const by = <Action extends string>(rules: Policy<Action>, ...actions: [Action, ...Action[]]): Rule => ({
  policy: rules,
  actions,
});

/** Says why no policy is asked. */
export const withoutRule = (why: string): Rule => ({ none: why });

const nameOf = ({ subject }: Policy, action: string): string => `${subject}: ${action}`;

/** @throws Error for a handler that has answered without asking what its route says it does */
export function requireAsked(rule: Rule | undefined, actor: Person): void {
  if (!rule || 'none' in rule) return;
  const names = rule.actions.map((action) => nameOf(rule.policy, action));
  if (names.some((name) => actor.asked.has(name))) return;
  throw new Error(`The route has not asked its rule (${names.join(', ')}).`);
}

export function may<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
  subject: Subject = {},
): boolean {
  actor.asked.add(nameOf(rules, action));
  return rules.actions[action].some((candidate) => candidate.holds(actor, subject));
}

/**
 * The chapters whose rows a list shows: those of which the rule would admit to one row.
 * @returns null for all of them
 * @throws Refusal forbidden where there are none
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

/** Whether a rule admits whoever belongs to the organization. */
export const isForAnyone = (rule: Rule | undefined): boolean =>
  rule !== undefined &&
  ('none' in rule || rule.actions.every((action) => rule.policy.actions[action]?.includes(anyone)));

/** @throws Refusal forbidden */
export function authorize<Action extends string>(
  actor: Actor,
  rules: Policy<Action>,
  action: Action,
  subject: Subject = {},
): void {
  if (!may(actor, rules, action, subject)) throw refuse.forbidden();
}
