/** How Postgres finds members by name in an organization of thirty thousand, and in a small one in the same database. */
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aPlatformAdmin, aWorld, signIn, type World } from '../../support/world.js';
import { explain, tellPlans } from './plans.js';

const MEMBERS = 30_000;
const LARGE = new Set(['users', 'memberships', 'affiliations']);

let api: RunningApi;
let big: World;
let small: World;

beforeAll(async () => {
  [big, small] = [await aWorld(), await aWorld()];
  await seed(big);
  await tellPlans();
  api = await startApi();
});
afterAll(async () => {
  await api?.close();
  await closeOwner();
});

/** Few names, each shared by many people, and an individual name for every third or fifth: frequent names are the harder case. */
async function seed({ organizationId, chapterId }: World): Promise<void> {
  await asOwner(
    `INSERT INTO users (email, first_name, last_name)
     SELECT 'big' || n || '@example.org',
       (ARRAY['Maya','Jordan','Sam','Alex','Riley','Casey','Taylor','Morgan','Jamie','Avery','Quinn','Rowan','Skyler','Dakota',
              'Emerson','Finley','Harper','Jesse','Kendall','Logan'])[1 + (n * 7) % 20]
         || CASE WHEN n % 3 = 0 THEN substr(md5(n::text), 1, 3) ELSE '' END,
       (ARRAY['Smith','Rodriguez','Johnson','Okafor','Nguyen','Garcia','Miller','Davis','Martinez','Lopez','Wilson','Anderson',
              'Thomas','Moore','Jackson','Martin','Lee','Perez','White','Harris'])[1 + (n * 11 + n / 20) % 20]
         || CASE WHEN n % 5 = 0 THEN substr(md5('l' || n), 1, 4) ELSE '' END
       FROM generate_series(1, $1::int) n`,
    [MEMBERS],
  );
  // After the first thousand the triggers' statements are planned for a large table; without this, seeding takes minutes.
  for (const most of [1_000, MEMBERS]) {
    await asOwner(
      `INSERT INTO memberships (organization_id, user_id, chapter_id)
       SELECT $1, id, $2 FROM users u WHERE email LIKE 'big%' AND NOT EXISTS (
         SELECT FROM memberships m WHERE m.user_id = u.id) LIMIT $3`,
      [organizationId, chapterId, most],
    );
    await asOwner('ANALYZE users, memberships, affiliations, organization_admins, regional_admins, chapters');
  }
}

/** The rows of large tables that a search reads, for all statements of one request. */
async function rowsOf(world: World, query: string, search = 'member-search'): Promise<number> {
  const admin = new Client(api.url, { token: await signIn(world.admin.userId, world.organizationId) });
  return rowsAsked(admin, `/api/organizations/${world.organizationId}/${search}/?${query}`);
}

async function rowsAsked(client: Client, path: string): Promise<number> {
  let status = 0;
  const { scans, statements } = await explain(LARGE, async () => {
    ({ status } = await client.get(path));
  });
  expect([path, status]).toEqual([path, 200]);
  expect(statements).toBeGreaterThan(0);
  return scans.reduce((sum, { rows }) => sum + rows, 0);
}

/** Typical searches: prefixes, short and long, of frequent and rare names, and of an address. */
const BEGINNINGS = ['a', 'm', 'maya', 'maya ro', 'rodrig', 'lee', 'zz', 'big99', 'jordan smith', 'nguyen d'];
/** Searches that are no prefix, or of few names: these use trigrams. */
const OTHERS = ['odrigue', 'arcia', 'garca', 'zzz', 'jordan smithx', 'rodriguezz', 'nobody at all'];

// A page of 25, four reads a row, for each way of matching a prefix; for impersonable people two more reads a row.
test.each([...BEGINNINGS.map((q) => [q, 1_500] as const), ...OTHERS.map((q) => [q, 10_000] as const)])(
  "a search for '%s' among 30,000 members reads at most %i rows",
  async (q, limit) => {
    for (const query of [`q=${encodeURIComponent(q)}`, `q=${encodeURIComponent(q)}&impersonable=1`]) {
      const rows = await rowsOf(big, query);
      expect([query, rows, rows <= limit]).toEqual([query, rows, true]);
    }
  },
);

// The organization's own rows, or the few whose address has the prefix: Postgres estimates which is cheaper.
test.each([...BEGINNINGS, ...OTHERS])(
  "a search for '%s' in a small organization reads little more than its own rows",
  async (q) => {
    for (const query of [`q=${encodeURIComponent(q)}`, `q=${encodeURIComponent(q)}&impersonable=1`]) {
      const rows = await rowsOf(small, query);
      expect([query, rows, rows <= 1_500]).toEqual([query, rows, true]);
    }
  },
);

test.each([...BEGINNINGS, ...OTHERS].filter((q) => q.length > 1))(
  "a search for '%s' among all people, and among few admins, reads at most 500 rows",
  async (q) => {
    const words = `q=${encodeURIComponent(q)}`;
    const platform = new Client(api.url, { token: (await aPlatformAdmin()).token });
    const rows = [
      await rowsAsked(platform, `/api/platform/user-search/?${words}`),
      await rowsOf(big, words, 'admin-search'),
    ];
    expect([rows, rows.every((limit) => limit <= 500)]).toEqual([rows, true]);
  },
);

test('the measurement detects a search that reads everybody', async () => {
  const { scans } = await explain(LARGE, () => asOwner(`SELECT count(*) FROM users WHERE first_name ILIKE '%aya%'`));
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(MEMBERS);
});
