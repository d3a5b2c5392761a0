import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlaceholder, aPlatformAdmin, type Person, signIn } from '../../support/world.js';

const { api, world, other } = apiWorld();

interface Found {
  id: string;
  user: string;
  first_name: string;
  last_name: string;
  email: string | null;
}

async function named(first: string, last: string, of = world, chapterId = of.chapterId): Promise<Person> {
  const person = await aMember(of.organizationId, chapterId);
  await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [person.userId, first, last]);
  return person;
}

const address = (query: string, of = world) => `/api/organizations/${of.organizationId}/member-search/?${query}`;
const search = (token: string, query: string, headers?: Record<string, string>) =>
  new Client(api.url, { token, ...(headers && { headers }) }).get<Found[] & { code?: string; errors?: object }>(
    address(query),
  );
const namesOf = (body: Found[]) => body.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
const found = async (q: string, token = world.member.token) =>
  namesOf((await search(token, `q=${encodeURIComponent(q)}`)).body);

describe('the results of the search', () => {
  beforeAll(async () => {
    for (const [first, last] of [
      ['Ximena', 'Quintero'],
      ['Quill', 'Abernathy'],
      ['Zebulon', 'McQuill'],
    ] as const)
      await named(first, last);
    await named('Quill', 'Elsewhere', other);
  });

  test('the search finds names that begin so, first or last name first, and then names that contain it', async () => {
    expect(await found('qui')).toEqual(['Quill Abernathy', 'Ximena Quintero', 'Zebulon McQuill']);
    expect(await found('QUILL A')).toEqual(['Quill Abernathy']);
    expect(await found('quintero xim')).toEqual(['Ximena Quintero']);
    expect(await found('q')).toEqual(['Quill Abernathy', 'Ximena Quintero']);
  });

  test('the search finds similar names only where no name begins with or contains the query', async () => {
    expect(await found('quinterro')).toEqual(['Ximena Quintero']);
    expect(await found('abernaty')).toEqual(['Quill Abernathy']);
    expect(await found('wholly unlike')).toEqual([]);
  });

  test('the search finds addresses that begin so, of members and invited people, in one order', async () => {
    const typed = await aPlaceholder(world.organizationId, 'beginsso-2@example.org');
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      world.organizationId,
      typed,
      world.chapterId,
    ]);
    for (const n of [3, 1])
      await asOwner('UPDATE users SET email = $2 WHERE id = $1', [
        (await named('Zed', `Of${n}`)).userId,
        `beginsso-${n}@example.org`,
      ]);
    const { body } = await search(world.admin.token, 'q=beginsso');
    expect(body.map(({ email }) => email)).toEqual([1, 2, 3].map((n) => `beginsso-${n}@example.org`));
  });

  test('the search takes wildcards literally', async () => {
    for (const q of ['%', 'q_ill', 'q%l', '\\', "'; DROP TABLE users; --"])
      expect([q, await found(q)]).toEqual([q, []]);
    await named('Per%cent', 'Under_score');
    expect(await found('per%c')).toEqual(['Per%cent Under_score']);
    expect(await found('under_s')).toEqual(['Per%cent Under_score']);
  });

  test('the search finds no one of another organization and no one without access', async () => {
    expect(await found('elsewhere')).toEqual([]);
    const inactive = await named('Gone', 'Vanished');
    expect(await found('vanished')).toEqual(['Gone Vanished']);
    for (const status of ['pnm', 'inactive', 'disaffiliated']) {
      await asOwner('UPDATE memberships SET status = $2 WHERE id = $1', [inactive.membershipId, status]);
      expect([status, await found('vanished')]).toEqual([status, []]);
    }
  });

  test('the search finds at most 25 memberships, each once', async () => {
    for (let n = 0; n < 30; n += 1) await named('Many', `Many${n}`);
    const { body } = await search(world.member.token, 'q=many');
    expect(body).toHaveLength(25);
    expect(new Set(body.map(({ id }) => id)).size).toBe(25);
  });
});

test('the search shows addresses to managers of the chapter and to the person, like the roster', async () => {
  const [near, far] = [await named('Ophelia', 'Near'), await named('Ophelia', 'Zfar', world, world.otherChapterId)];
  const emails = async (token: string) => (await search(token, 'q=ophelia')).body.map(({ email }) => email);
  expect(await emails(world.admin.token)).toEqual([near.email, far.email]);
  expect(await emails(world.officer.token)).toEqual([near.email, null]);
  expect(await emails(world.regionalAdmin.token)).toEqual([near.email, null]);
  expect(await emails(world.member.token)).toEqual([null, null]);
  expect(await emails(far.token)).toEqual([null, far.email]);
});

test('only admins find people by address, because a match would reveal it', async () => {
  const { userId } = await named('Address', 'Holder');
  await asOwner("UPDATE users SET email = 'zzyzx.vwvwv@example.org' WHERE id = $1", [userId]);
  expect(await found('zzyzx.vw', world.admin.token)).toEqual(['Address Holder']);
  expect(await found('zzyzx.vw', world.officer.token)).toEqual([]);
});

test('the search is one statement for any number of results', async () => {
  const client = new Client(api.url, { token: world.member.token });
  const count = (q: string) => countStatements(() => client.get(address(`q=${q}`)));
  await count('many');
  // The three are BEGIN with the actor, the search, and COMMIT.
  expect([await count('many'), await count('nobodyatall')]).toEqual([3, 3]);
});

describe('the search for people to impersonate', () => {
  test('the search for people to impersonate is for admins of the organization in person', async () => {
    const code = async (token: string, headers?: Record<string, string>) => {
      const { status, body } = await search(token, 'q=a&impersonable=1', headers);
      return [status, body.code];
    };
    for (const { token } of [world.member, world.officer, world.regionalAdmin])
      expect(await code(token)).toEqual([403, 'impersonable_search_forbidden']);
    const platform = await aPlatformAdmin();
    const header = { 'X-Organization-Id': world.organizationId };
    expect(await code(platform.token, header)).toEqual([403, 'impersonable_search_forbidden']);
    expect((await search(platform.token, 'q=a', header)).status).toBe(200);
    expect((await search(world.member.token, 'q=a&impersonable=0')).status).toBe(200);
    const second = await aMember(world.organizationId, world.chapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id, is_active) VALUES ($1, $2, false)', [
      world.organizationId,
      second.userId,
    ]);
    expect(await code(second.token)).toEqual([403, 'impersonable_search_forbidden']);
  });

  test('the search for people to impersonate leaves out administrators, disabled people and the caller', async () => {
    const first = 'Persephone';
    const people = await Promise.all(['Plain', 'Disabled', 'Changing'].map((last) => named(first, last)));
    for (const { userId } of [world.admin, world.regionalAdmin, world.officer])
      await asOwner('UPDATE users SET first_name = $2 WHERE id = $1', [userId, first]);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [people[1]?.userId]);
    await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [people[2]?.userId]);
    const all = await search(world.admin.token, 'q=persephone');
    const some = await search(world.admin.token, 'q=persephone&impersonable=1');
    expect(all.body).toHaveLength(6);
    expect(new Set(some.body.map(({ user }) => user))).toEqual(new Set([people[0]?.userId, world.officer.userId]));
  });
});

describe('refused searches', () => {
  test('a search is refused to anonymous callers, other organizations and former members', async () => {
    expect((await new Client(api.url).get(address('q=a'))).status).toBe(401);
    const outsider = new Client(api.url, { token: other.member.token });
    expect((await outsider.get(address('q=a'))).body.code).toBe('not_found');
    const former = await aMember(world.organizationId, world.chapterId, 'member', 'inactive');
    const token = await signIn(former.userId, world.organizationId);
    expect((await search(token, 'q=a')).body.code).toBe('membership_ended');
  });

  test.each(['', 'q=', `q=${'x'.repeat(101)}`, 'q=a&impersonable=maybe', 'q=a&page=2'])(
    'the query ?%s is refused with the name of the field',
    async (query) => {
      const { status, body } = await search(world.member.token, query);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [/(impersonable|page)=/.exec(query)?.[1] ?? 'q']]);
    },
  );
});
