/**
 * After random changes of memberships, offices and forums, everybody has the role in each forum that a small model gives,
 * exactly the members are counted and subscribed, and each way out of a forum shows it to the people with a role there.
 */
import fc from 'fast-check';
import { apiWorld } from '../../support/apiWorld.js';
import { insertRow } from '../../support/foundation.js';
import { pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { casesOf, SEED } from '../../support/seed.js';
import { aUser, aWorld, signIn } from '../../support/world.js';

const RUNS = casesOf({ test: 6, release: 100 });
const STEPS = 25;
const VISIBILITIES = ['open', 'approval_required', 'invite_only'] as const;
const ROLES = ['member', 'moderator', 'admin'] as const;
const STATUSES = ['active', 'active', 'invited', 'requested', 'left', 'removed'] as const;
const two = fc.integer({ min: 0, max: 1 });
const three = fc.integer({ min: 0, max: 2 });

interface Place {
  forum: string;
  post: string;
}
/** Every way out of a forum, and whether a first read there makes a person a member. */
const WAYS = {
  detail: { path: ({ forum }: Place) => pathOf(forum), joins: true },
  feed: { path: ({ forum }: Place) => pathOf(forum, 'posts'), joins: true },
  post: { path: ({ forum, post }: Place) => pathOf(forum, 'posts', post), joins: true },
  comments: { path: ({ forum, post }: Place) => pathOf(forum, 'posts', post, 'comments'), joins: true },
  members: { path: ({ forum }: Place) => pathOf(forum, 'members'), joins: false },
  search: { path: ({ forum }: Place) => `/api/forums/search/?q=keys&forum=${forum}`, joins: false },
  people: { path: ({ forum }: Place) => pathOf(forum, 'mention-search'), joins: false },
  subscription: { path: ({ forum, post }: Place) => pathOf(forum, 'posts', post, 'subscription'), joins: false },
};
type Way = keyof typeof WAYS;
const EVERY_WAY = Object.keys(WAYS) as Way[];

const step = fc.oneof(
  fc.record({ kind: fc.constant('membership' as const), person: two, chapter: three, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('transfer' as const), person: two, from: three, to: three }),
  fc.record({ kind: fc.constant('regional' as const), person: two, region: two, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('admin' as const), person: two, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), chapter: three, region: two }),
  fc.record({
    kind: fc.constant('row' as const),
    person: two,
    forum: three,
    role: fc.constantFrom(...ROLES),
    status: fc.constantFrom(...STATUSES),
    byInvitation: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('visibility' as const), forum: three, to: fc.constantFrom(...VISIBILITIES) }),
  fc.record({ kind: fc.constant('read' as const), person: two, forum: three, way: fc.constantFrom(...EVERY_WAY) }),
);
type Step = ReturnType<typeof step.generate>['value'];

interface Row {
  role: (typeof ROLES)[number];
  status: (typeof STATUSES)[number];
  byInvitation: boolean;
}

/** The state of an organization with two people, three chapters, two regions, and a forum of each kind of place. */
class Model {
  readonly regionOf = [0, 0, 1];
  readonly memberships = new Set<string>();
  readonly regionals = new Set<string>();
  readonly admins = new Set<number>();
  readonly visibility: string[] = ['open', 'open', 'open'];
  /** Rows of people who are, were or may become members, by forum and person. Rows that ended are removed. */
  readonly rows = new Map<string, Row>();

  private chaptersOf = (forum: number) =>
    [0, 1, 2].filter((chapter) => [true, this.regionOf[chapter] === 0, chapter === 0][forum]);
  private regionsOf = (forum: number) => [[0, 1], [0], [this.regionOf[0] as number]][forum] as number[];
  private mayJoin = (person: number, forum: number) =>
    this.chaptersOf(forum).some((chapter) => this.memberships.has(`${person} ${chapter}`));
  private isInScope = (person: number, forum: number) =>
    this.mayJoin(person, forum) ||
    this.admins.has(person) ||
    this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
  private keeps = (person: number, forum: number, { byInvitation, status }: Row) =>
    this.isInScope(person, byInvitation || status === 'invited' ? 0 : forum);

  /** Whether the person has any access to the organization. */
  hasAccess = (person: number) => this.isInScope(person, 0);
  rowOf = (person: number, forum: number) => this.rows.get(`${forum} ${person}`);
  hasTransfer = ({ person, from, to }: Extract<Step, { kind: 'transfer' }>) =>
    this.memberships.has(`${person} ${from}`) && !this.memberships.has(`${person} ${to}`);

  roleOf(person: number, forum: number): string | null {
    const row = this.rowOf(person, forum);
    const role = row?.status === 'active' && this.keeps(person, forum, row) ? row.role : null;
    const moderates = forum > 0 && this.regionsOf(forum).some((region) => this.regionals.has(`${person} ${region}`));
    if (role === 'admin' || this.admins.has(person)) return 'admin';
    if (role === 'moderator' || moderates) return 'moderator';
    return role ?? (this.visibility[forum] === 'open' && this.isInScope(person, forum) ? 'reader' : null);
  }

  /** The `access` of a forum in the list, which discovers forums or not; null for a forum that the list leaves out. */
  accessOf(person: number, forum: number, discovers: boolean): string | null {
    const role = this.roleOf(person, forum);
    if (role !== null) return role === 'reader' ? 'open' : 'member';
    const { status } = this.rowOf(person, forum) ?? {};
    const mayRequest = this.visibility[forum] === 'approval_required' && this.mayJoin(person, forum);
    if (!discovers || !(mayRequest || status === 'invited')) return null;
    return status === 'invited' || status === 'requested' ? status : 'requestable';
  }

  /** Makes a person a member who reads a forum for the first time. */
  read(person: number, forum: number, way: Way): void {
    const joins = WAYS[way].joins && this.visibility[forum] === 'open' && this.mayJoin(person, forum);
    if (joins && this.rowOf(person, forum) === undefined)
      this.rows.set(`${forum} ${person}`, { role: 'member', status: 'active', byInvitation: false });
  }

  /** Ends what a person may no longer keep, as the loss of a membership or an office does. */
  private end(people: number[]): void {
    for (const [key, row] of this.rows) {
      const [forum, person] = key.split(' ').map(Number) as [number, number];
      const isOver = row.status === 'left' || row.status === 'removed';
      if (people.includes(person) && !isOver && !this.keeps(person, forum, row)) this.rows.delete(key);
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
    if (change.kind === 'transfer' && this.hasTransfer(change)) {
      this.memberships.add(`${change.person} ${change.to}`);
      toggle(this.memberships, `${change.person} ${change.from}`, change.person, false);
    }
    if (change.kind === 'regional')
      toggle(this.regionals, `${change.person} ${change.region}`, change.person, change.isActive);
    if (change.kind === 'admin') toggle(this.admins, change.person, change.person, change.isActive);
    if (change.kind === 'visibility') this.visibility[change.forum] = change.to;
    if (change.kind === 'row') this.rows.set(`${change.forum} ${change.person}`, change);
    if (change.kind === 'read') this.read(change.person, change.forum, change.way);
    if (change.kind === 'move' && this.regionOf[change.chapter] !== change.region) {
      this.regionOf[change.chapter] = change.region;
      // Both people have a membership there, in some status.
      this.end([0, 1]);
    }
  }
}

const stage = apiWorld();

/** Inserts the organization with which the model begins. */
async function aState() {
  const { organizationId: organization_id, admin } = await aWorld({ members: 1 });
  const inTenant = (table: string, row: Record<string, unknown>) => insertRow(table, { organization_id, ...row });
  const people = [await aUser(), await aUser()];
  const regions = [await inTenant('regions', { name: 'One' }), await inTenant('regions', { name: 'Two' })];
  const chapters: string[] = [];
  for (const region of [0, 0, 1])
    chapters.push(await inTenant('chapters', { name: `Chapter ${chapters.length}`, region_id: regions[region] }));
  const places: Place[] = [];
  for (const row of [{}, { region_id: regions[0] }, { chapter_id: chapters[0] }]) {
    const forum_id = await inTenant('forums', { name: `Forum ${places.length}`, ...row });
    const text = { forum_id, author_id: admin.userId, body: 'x', body_html: '<p>x</p>', request_hash: 'x' };
    const post_id = await inTenant('forum_posts', { ...text, title: 'x' });
    await inTenant('forum_comments', { ...text, post_id });
    places.push({ forum: forum_id, post: post_id });
  }
  for (const user_id of people) {
    for (const chapter_id of chapters) await inTenant('memberships', { user_id, chapter_id, status: 'inactive' });
    for (const region_id of regions)
      await inTenant('regional_admins', { user_id, region_id, role: 'advisor', is_active: false });
    await inTenant('organization_admins', { user_id, is_active: false });
  }
  return { people, regions, chapters, places, organization_id, admin };
}
type State = Awaited<ReturnType<typeof aState>>;

async function apply(state: State, model: Model, change: Step): Promise<void> {
  const { people, regions, chapters, places, organization_id } = state;
  if (change.kind === 'membership')
    await asOwner('UPDATE memberships SET status = $3 WHERE user_id = $1 AND chapter_id = $2', [
      people[change.person],
      chapters[change.chapter],
      change.isActive ? 'undergrad' : 'inactive',
    ]);
  if (change.kind === 'transfer' && model.hasTransfer(change)) await transfer(state, change);
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
    await asOwner('UPDATE forums SET visibility = $2 WHERE id = $1', [places[change.forum]?.forum, change.to]);
  if (change.kind === 'row')
    await asOwner(
      `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, by_invitation, invitation_expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $5 = 'invited' THEN now() + interval '1 day' END)
       ON CONFLICT ON CONSTRAINT forum_memberships_person DO UPDATE SET role = excluded.role, status = excluded.status,
         by_invitation = excluded.by_invitation, invitation_expires_at = excluded.invitation_expires_at`,
      [
        organization_id,
        places[change.forum]?.forum,
        people[change.person],
        change.role,
        change.status,
        change.byInvitation,
      ],
    );
  if (change.kind === 'read') await read(state, model, change.person, change.forum, change.way);
}

/** Transfers a member as an admin does. */
async function transfer({ people, chapters, admin }: State, change: Extract<Step, { kind: 'transfer' }>) {
  const [membership] = await asOwner<{ id: string }>(
    'SELECT id FROM memberships WHERE user_id = $1 AND chapter_id = $2',
    [people[change.person], chapters[change.from]],
  );
  const path = `/api/memberships/${membership?.id}/transfer/`;
  const to_chapter = chapters[change.to];
  const preview = await stage.as(admin).post(path, { to_chapter, dry_run: true });
  const { preview_hash } = preview.body;
  expect((await stage.as(admin).post(path, { to_chapter, preview_hash })).status).toBe(201);
}

const clientOf = async ({ people, organization_id }: State, person: number) =>
  stage.as({ token: await signIn(people[person] as string, organization_id) });

/** Reads a forum, and compares the answer with the model. */
async function read(state: State, model: Model, person: number, forum: number, way: Way) {
  const { status, body } = await (await clientOf(state, person)).get(WAYS[way].path(state.places[forum] as Place));
  const role = model.roleOf(person, forum);
  expect(status).toBe(model.hasAccess(person) ? (role === null ? 404 : 200) : 401);
  model.read(person, forum, way);
  if (role !== null && way === 'detail') expect(body.my_role).toBe(model.roleOf(person, forum));
}

/** Compares the lists, and then each way out of each forum, with the model. */
async function expectWaysOut(state: State, model: Model): Promise<void> {
  for (const person of [0, 1]) {
    const client = await clientOf(state, person);
    for (const discovers of [false, true]) {
      const { body } = await client.get(`/api/forums/?discover=${discovers}`);
      const shown = (body.results ?? []).map(({ id, access }: { id: string; access: string }) => [id, access]);
      const expected = state.places.map(({ forum }, n) => [forum, model.accessOf(person, n, discovers)]);
      expect(shown).toEqual(model.hasAccess(person) ? expected.filter(([, access]) => access !== null) : []);
    }
    for (const forum of [0, 1, 2])
      for (const way of EVERY_WAY.toReversed()) await read(state, model, person, forum, way);
  }
}

test('roles and all ways out of forums agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const [state, model] = [await aState(), new Model()];
      for (const change of steps) {
        await apply(state, model, change);
        model.apply(change);
        const roles = await asOwner<{ role: string | null }>(
          `SELECT app.forum_role($1, p.id, f.id) AS role
             FROM unnest($2::uuid[]) WITH ORDINALITY p (id, n), unnest($3::uuid[]) WITH ORDINALITY f (id, n) ORDER BY p.n, f.n`,
          [state.organization_id, state.people, state.places.map(({ forum }) => forum)],
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
      await expectWaysOut(state, model);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
