/** Pages of lists: their contents, and the prepared statements that Postgres keeps for them. */
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld, type World } from '../support/world.js';

// One connection, so that its prepared statements are known; read when the modules load.
process.env['DATABASE_POOL'] = '1';
const load = async () => ({
  ...(await import('../../models/database/connection.js')),
  ...(await import('../../models/database/pipelinedTransaction.js')),
  ...(await import('../../models/database/page.js')),
  ...(await import('../../models/database/tenancy.js')),
  ...(await import('../../models/database/rows.js')),
  ...(await import('../../models/notifications/listNotifications.js')),
});
let modules: Awaited<ReturnType<typeof load>>;
let world: World;
/** The names of the tenant's regions, in order. */
let names: string[];

beforeAll(async () => {
  modules = await load();
  world = await aWorld({ members: 1 });
  await asOwner(
    `INSERT INTO regions (organization_id, name) SELECT $1, 'Region ' || lpad(n::text, 3, '0') FROM generate_series(1, 40) n`,
    [world.organizationId],
  );
  const all = await asOwner<{ name: string }>('SELECT name FROM regions WHERE organization_id = $1 ORDER BY name', [
    world.organizationId,
  ]);
  names = all.map(({ name }) => name);
});
afterAll(async () => {
  await modules.sequelize.close();
  await closeOwner();
});

const PAGE_SIZE = 4;
/** @param column makes the statement differ from those of other tests */
const regions = (page: number, column: string) => ({
  from: 'regions r',
  where: 'r.organization_id = (SELECT app.org_id()) AND r.name <> $1',
  values: ['none'],
  orderBy: 'r.name ASC',
  key: 'r.id',
  select: `r.name, ${column}`,
  page,
  pageSize: PAGE_SIZE,
});
const wanted = (page: number) => names.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

const tenant = () => ({
  text: `SELECT set_config('app.organization_id', $1, true)`,
  values: [world.organizationId],
  prepared: true,
});

/** The number of runs of each prepared statement with this text, on generic and on custom plans. */
const plansWith = (text: string) =>
  modules.inTenant(world.organizationId, () =>
    modules.rows(
      `SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements
        WHERE position($1 IN statement) > 0 ORDER BY generic_plans`,
      [text],
    ),
  );

const PAGES = [1, 2, 3, 7, 2, 10, 1];

test('a list that is read together with the actor has two plans: one for the first page, and one for all others', async () => {
  const column = `'together' AS way`;
  for (const page of PAGES) {
    const [, row] = await modules.readPipelined(tenant, modules.pageStatement(regions(page, column)));
    const { count, results } = row as unknown as { count: number; results: string };
    expect(count).toBe(names.length);
    expect((JSON.parse(results) as { name: string }[]).map(({ name }) => name)).toEqual(wanted(page));
  }
  expect(await plansWith(column)).toEqual([
    { generic: 2, custom: 0 },
    { generic: 5, custom: 0 },
  ]);
});

test('a list with prepared statements in a transaction never plans a later page again', async () => {
  const column = `'within' AS way`;
  for (const page of PAGES) {
    const read = () => modules.selectPage<{ name: string }>(regions(page, column), { usesGenericPlan: true });
    const { count, results } = await modules.inTenant(world.organizationId, read);
    expect(count).toBe(names.length);
    expect(results.map(({ name }) => name)).toEqual(wanted(page));
  }
  expect(await plansWith(column)).toEqual([
    { generic: 2, custom: 0 },
    { generic: 5, custom: 0 },
  ]);
});

test('a list without prepared statements leaves none', async () => {
  const column = `'anew' AS way`;
  const read = () => modules.selectPage<{ name: string }>(regions(3, column));
  const { results } = await modules.inTenant(world.organizationId, read);
  expect(results.map(({ name }) => name)).toEqual(wanted(3));
  expect(await plansWith(column)).toEqual([]);
});

test('a page past the last one is refused', async () => {
  const read = (page: number) => () => modules.selectPage(regions(page, '1 AS one'), { usesGenericPlan: true });
  await expect(modules.inTenant(world.organizationId, read(12))).rejects.toThrow('page');
});

test('later pages of notifications share a plan', async () => {
  const query = { recipientId: world.member.userId, pageSize: 1 };
  for (const page of [1, 2, 3, 4]) await modules.readPipelined(tenant, modules.listNotifications({ ...query, page }));
  expect(await plansWith('newest AS MATERIALIZED')).toEqual([
    { generic: 1, custom: 0 },
    { generic: 3, custom: 0 },
  ]);
});
