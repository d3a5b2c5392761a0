/**
 * After random changes of memberships, offices and forums, everybody has the role in each forum that a small model gives, and
 * exactly the members are counted and subscribed.
 */
import fc from 'fast-check';
import { asOwner, closeOwner } from '../../support/owner.js';
import { insertRow } from '../../support/foundation.js';
import { casesOf, SEED } from '../../support/seed.js';
import { aUser, aWorld } from '../../support/world.js';

const RUNS = casesOf({ test: 6, release: 100 });
const STEPS = 25;
const VISIBILITIES = ['open', 'approval_required', 'invite_only'] as const;
const ROLES = ['member', 'moderator', 'admin'] as const;
const two = fc.integer({ min: 0, max: 1 });
const three = fc.integer({ min: 0, max: 2 });

const step = fc.oneof(
  fc.record({ kind: fc.constant('membership' as const), person: two, chapter: three, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('regional' as const), person: two, region: two, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('admin' as const), person: two, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), chapter: three, region: two }),
  fc.record({
    kind: fc.constant('join' as const),
    person: two,
    forum: three,
    role: fc.constantFrom(...ROLES),
    byInvitation: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('visibility' as const), forum: three, to: fc.constantFrom(...VISIBILITIES) }),
);
type Step = ReturnType<typeof step.generate>['value'];

interface Row {
  role: (typeof ROLES)[number];
  byInvitation: boolean;
}

/** The state of an organization with two people, three chapters, two regions, and a forum of each kind of place. */
class Model {
  readonly regionOf = [0, 0, 1];
  readonly memberships = new Set<string>();
  readonly regionals = new Set<string>();
  readonly admins = new Set<number>();
  readonly visibility: string[] = ['open', 'open', 'open'];
  /** Active members, by forum and person. */
  readonly rows = new Map<string, Row>();

  private chaptersOf = (forum: number) =>
    [0, 1, 2].filter((chapter) => [true, this.regionOf[chapter] === 0, chapter === 0][forum]);
  private regionsOf = (forum: number) => [[0, 1], [0], [this.regionOf[0] as number]][forum] as number[];
  private isMemberThere = (person: number, forum: number) =>
    this.chaptersOf(forum).some((chapter) => this.memberships.has(`${person} ${chapter}`));
  private isInScope = (person: number, forum: number) =>
    this.isMemberThere(person, forum) ||
    this.admins.has(person) ||
    this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
  private keeps = (person: number, forum: number, { byInvitation }: Row) =>
    this.isInScope(person, byInvitation ? 0 : forum);

  roleOf(person: number, forum: number): string | null {
    const row = this.rows.get(`${forum} ${person}`);
    const role = row && this.keeps(person, forum, row) ? row.role : null;
    const moderates = forum > 0 && this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
    if (role === 'admin' || this.admins.has(person)) return 'admin';
    if (role === 'moderator' || moderates) return 'moderator';
    return role ?? (this.visibility[forum] === 'open' && this.isInScope(person, forum) ? 'reader' : null);
  }

  /** Ends what a person may no longer keep, as the loss of a membership or an office does. */
  private end(people: number[]): void {
    for (const [key, row] of this.rows) {
      const [forum, person] = key.split(' ').map(Number) as [number, number];
      if (people.includes(person) && !this.keeps(person, forum, row)) this.rows.delete(key);
    }
  }

  apply(change: Step): void {
    const toggle = <T>(set: Set<T>, value: T, person: number, isActive: boolean) => {
      const isLost = set.has(value) && !isActive;
      if (isActive) set.add(value);
      else set.delete(value);
      if (isLost) this.end([person]);
    };
    if (change.kind === 'membership')
      toggle(this.memberships, `${change.person} ${change.chapter}`, change.person, change.isActive);
    if (change.kind === 'regional')
      toggle(this.regionals, `${change.person} ${change.region}`, change.person, change.isActive);
    if (change.kind === 'admin') toggle(this.admins, change.person, change.person, change.isActive);
    if (change.kind === 'visibility') this.visibility[change.forum] = change.to;
    if (change.kind === 'join') this.rows.set(`${change.forum} ${change.person}`, change);
    if (change.kind === 'move' && this.regionOf[change.chapter] !== change.region) {
      this.regionOf[change.chapter] = change.region;
      // Both people have a membership there, in some status.
      this.end([0, 1]);
    }
  }
}

/** The same state in Postgres. */
async function aState() {
  const { organizationId: organization_id } = await aWorld({ members: 1 });
  const inTenant = (table: string, row: Record<string, unknown>) => insertRow(table, { organization_id, ...row });
  const people = [await aUser(), await aUser()];
  const regions = [await inTenant('regions', { name: 'One' }), await inTenant('regions', { name: 'Two' })];
  const chapters: string[] = [];
  for (const region of [0, 0, 1])
    chapters.push(await inTenant('chapters', { name: `Chapter ${chapters.length}`, region_id: regions[region] }));
  const forums = [
    await inTenant('forums', { name: 'Everybody' }),
    await inTenant('forums', { name: 'Region', region_id: regions[0] }),
    await inTenant('forums', { name: 'Chapter', chapter_id: chapters[0] }),
  ];
  for (const user_id of people) {
    for (const chapter_id of chapters) await inTenant('memberships', { user_id, chapter_id, status: 'inactive' });
    for (const region_id of regions)
      await inTenant('regional_admins', { user_id, region_id, role: 'advisor', is_active: false });
    await inTenant('organization_admins', { user_id, is_active: false });
  }
  return { people, regions, chapters, forums, organization_id };
}

async function apply(state: Awaited<ReturnType<typeof aState>>, change: Step): Promise<void> {
  const { people, regions, chapters, forums, organization_id } = state;
  if (change.kind === 'membership')
    await asOwner('UPDATE memberships SET status = $3 WHERE user_id = $1 AND chapter_id = $2', [
      people[change.person],
      chapters[change.chapter],
      change.isActive ? 'undergrad' : 'inactive',
    ]);
  if (change.kind === 'regional')
    await asOwner('UPDATE regional_admins SET is_active = $3 WHERE user_id = $1 AND region_id = $2', [
      people[change.person],
      regions[change.region],
      change.isActive,
    ]);
  if (change.kind === 'admin')
    await asOwner('UPDATE organization_admins SET is_active = $2 WHERE user_id = $1', [
      people[change.person],
      change.isActive,
    ]);
  if (change.kind === 'move')
    await asOwner('UPDATE chapters SET region_id = $2 WHERE id = $1', [
      chapters[change.chapter],
      regions[change.region],
    ]);
  if (change.kind === 'visibility')
    await asOwner('UPDATE forums SET visibility = $2 WHERE id = $1', [forums[change.forum], change.to]);
  if (change.kind === 'join')
    await asOwner(
      `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, by_invitation)
       VALUES ($1, $2, $3, $4, 'active', $5) ON CONFLICT ON CONSTRAINT forum_memberships_person
       DO UPDATE SET role = excluded.role, status = 'active', by_invitation = excluded.by_invitation`,
      [organization_id, forums[change.forum], people[change.person], change.role, change.byInvitation],
    );
}

afterAll(closeOwner);

test('app.forum_role agrees with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const [state, model] = [await aState(), new Model()];
      for (const change of steps) {
        await apply(state, change);
        model.apply(change);
        const roles = await asOwner<{ role: string | null }>(
          `SELECT app.forum_role($1, p.id, f.id) AS role
             FROM unnest($2::uuid[]) WITH ORDINALITY p (id, n), unnest($3::uuid[]) WITH ORDINALITY f (id, n) ORDER BY p.n, f.n`,
          [state.organization_id, state.people, state.forums],
        );
        expect(roles.map(({ role }) => role)).toEqual(
          [0, 1].flatMap((person) => [0, 1, 2].map((forum) => model.roleOf(person, forum))),
        );
        const counts = await asOwner<{ wrong: number }>(
          `SELECT count(*)::int AS wrong FROM forums f
             JOIN LATERAL (SELECT count(m) AS members, count(s) AS subscribed, count(*) AS all_of_both
               FROM (SELECT * FROM forum_memberships WHERE forum_id = f.id AND status = 'active') m
               FULL JOIN (SELECT * FROM forum_subscriptions WHERE forum_id = f.id) s USING (user_id)) n ON true
            WHERE f.organization_id = $1 AND (f.member_count, n.subscribed, n.all_of_both) <> (n.members, n.members, n.members)`,
          [state.organization_id],
        );
        expect(counts).toEqual([{ wrong: 0 }]);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
