/** The search offers exactly the people whom the start of an impersonation accepts, in random worlds. */
import fc from 'fast-check';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';
import { aMember, type Person, signIn } from '../../support/world.js';

const RUNS = casesOf({ test: 5, release: 40 });

const { api, world, other } = apiWorld();
beforeAll(async () => {
  await asOwner('UPDATE organizations SET impersonation_notices = false');
});

const office = fc.option(fc.record({ active: fc.boolean(), here: fc.boolean() }), { nil: null, freq: 3 });
const human = fc.record({
  status: fc.constantFrom('undergrad', 'associate', 'alumni', 'lifetime_alumni', 'pnm', 'inactive', 'disaffiliated'),
  /** A role, if the status allows it. */
  role: fc.constantFrom('member', 'officer', 'president', 'advisor', 'alumni'),
  platform: fc.nat(9).map((n) => n === 0),
  disabled: fc.nat(5).map((n) => n === 0),
  changing: fc.nat(5).map((n) => n === 0),
  organizationAdmin: office,
  regionalAdmin: office,
  second: fc.option(fc.constantFrom('undergrad', 'inactive'), { nil: null }),
});
type Human = typeof human extends fc.Arbitrary<infer H> ? H : never;

let counter = 0;

/** A member of the world with a unique name. */
async function born(like: Human): Promise<{ person: Person; memberships: string[]; name: string }> {
  const name = `Q${((counter += 1)).toString(36)}x`;
  const person = await aMember(world.organizationId, world.chapterId, like.role);
  await asOwner('UPDATE memberships SET status = $2 WHERE id = $1', [person.membershipId, like.status]);
  await asOwner(
    `UPDATE users SET first_name = $2, last_name = 'Subject', is_platform_admin = $3, must_change_password = $4,
            disabled_at = CASE WHEN $5 THEN now() END WHERE id = $1`,
    [person.userId, name, like.platform, like.changing, like.disabled],
  );
  const { organizationAdmin: admin, regionalAdmin: regional, second } = like;
  if (admin)
    await asOwner('INSERT INTO organization_admins (organization_id, user_id, is_active) VALUES ($1, $2, $3)', [
      (admin.here ? world : other).organizationId,
      person.userId,
      admin.active,
    ]);
  if (regional)
    await asOwner(
      `INSERT INTO regional_admins (organization_id, region_id, user_id, role, is_active) VALUES ($1, $2, $3, 'advisor', $4)`,
      [
        (regional.here ? world : other).organizationId,
        (regional.here ? world : other).regionId,
        person.userId,
        regional.active,
      ],
    );
  const memberships = [person.membershipId];
  if (second) {
    const [row] = await asOwner<{ id: string }>(
      'INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, $4) RETURNING id',
      [world.organizationId, person.userId, world.otherChapterId, second],
    );
    memberships.push(row?.id as string);
  }
  return { person, memberships, name };
}

/** The rule, written differently than in the database. */
const isAllowed = (like: Human, status: string): boolean =>
  !['pnm', 'inactive', 'disaffiliated'].includes(status) &&
  !like.platform &&
  !like.disabled &&
  !like.changing &&
  !like.organizationAdmin?.active &&
  !like.regionalAdmin?.active;

test('the search and the start of an impersonation agree with the rule for everybody', async () => {
  const admin = new Client(api.url, { token: await signIn(world.admin.userId, world.organizationId) });
  const outcomes = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(fc.array(human, { minLength: 1, maxLength: 6 }), async (humans) => {
      for (const like of humans) {
        const { memberships, name } = await born(like);
        const address = `/api/organizations/${world.organizationId}/member-search/?q=${name}%20subject&impersonable=1`;
        const searched = await admin.get<{ id: string }[]>(address);
        expect(searched.status).toBe(200);
        const offered = searched.body.map(({ id }) => id);
        for (const [n, membership] of memberships.entries()) {
          const started = await admin.post('/api/auth/impersonate/', { membership, reason: 'To see' });
          expect([200, 403]).toContain(started.status);
          const allowed = isAllowed(like, n === 0 ? like.status : (like.second as string));
          expect([started.status === 200, offered.includes(membership)]).toEqual([allowed, allowed]);
          if (allowed) {
            const session = new Client(api.url, { token: started.body.access_token });
            expect((await session.get('/api/auth/me/')).status).toBe(200);
          }
          outcomes.add(allowed);
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(outcomes.size).toBe(2);
});
