/** Pipelined statements in one message, as prepared statements. */
import type { Writable } from 'node:stream';
import { Client } from 'pg';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld, type World } from '../support/world.js';

// One connection, so that its prepared statements are known; read when the modules load.
process.env['DATABASE_POOL'] = '1';
const load = async () => ({
  ...(await import('../../models/database/connection.js')),
  ...(await import('../../models/database/pipelinedTransaction.js')),
  ...(await import('../../models/database/tenancy.js')),
  ...(await import('../../models/database/rows.js')),
  ...(await import('../../models/database/sequelizeInternals.js')),
  ...(await import('../../models/database/preparedQuery.js')),
});
let modules: Awaited<ReturnType<typeof load>>;
let world: World;
let other: World;

beforeAll(async () => {
  modules = await load();
  [world, other] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
  await asOwner(`CREATE TABLE IF NOT EXISTS together_probe (a text); GRANT SELECT ON together_probe TO PUBLIC`);
  await asOwner(`DELETE FROM together_probe; INSERT INTO together_probe VALUES ('7')`);
});
afterAll(async () => {
  await asOwner('DROP TABLE together_probe');
  await modules.sequelize.close();
  await closeOwner();
});

const tenant = (organizationId: string) => () => ({
  text: `SELECT set_config('app.organization_id', $1, true)`,
  values: [organizationId],
  prepared: true,
});
const ahead = async (text: string, values: unknown[] = [], { organizationId }: World = world) =>
  (await modules.readPipelined(tenant(organizationId), { text, values, prepared: true }))[1];
/** The only connection of the pool. */
async function theConnection(): Promise<Client> {
  const client = await modules.acquireConnection(modules.sequelize);
  modules.releaseConnection(modules.sequelize, client);
  return client;
}
const statement = (text: string) => modules.inTenant(world.organizationId, () => modules.rows(text));
const preparedStatements = async () =>
  (await statement(
    `SELECT name, generic_plans::int AS generic FROM pg_prepared_statements WHERE name LIKE 'm\\_%'`,
  )) as {
    name: string;
    generic: number;
  }[];

test('a statement is planned once for all tenants and values', async () => {
  const regions = 'SELECT count(*)::int AS n FROM regions WHERE organization_id = (SELECT app.org_id()) AND name <> $1';
  const before = new Set((await preparedStatements()).map(({ name }) => name));
  for (const value of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    const count = async ({ organizationId }: World) =>
      (await asOwner('SELECT count(*)::int AS n FROM regions WHERE organization_id = $1', [organizationId]))[0];
    expect(await ahead(regions, [value])).toEqual(await count(world));
    expect(await ahead(regions, [value], other)).toEqual(await count(other));
  }
  const added = (await preparedStatements()).filter(({ name, generic }) => !before.has(name) && generic === 14);
  expect(added).toHaveLength(1);
});

test('a prepared statement is prepared again after a migration of its columns and after DEALLOCATE', async () => {
  const probe = 'SELECT * FROM together_probe';
  expect(await ahead(probe)).toEqual({ a: '7' });
  await asOwner('ALTER TABLE together_probe ALTER a TYPE integer USING a::integer, ADD COLUMN b boolean DEFAULT true');
  expect(await ahead(probe)).toEqual({ a: 7, b: true });
  await statement('DEALLOCATE ALL');
  expect(await ahead(probe)).toEqual({ a: 7, b: true });
  await statement('DEALLOCATE ALL');
  expect(await statement('SELECT count(*)::int AS n FROM regions')).toHaveLength(1);
});

test("a lost connection's prepared statements are prepared again on the next one", async () => {
  const probe = 'SELECT a::text FROM together_probe WHERE $1';
  expect(await ahead(probe, [true])).toEqual({ a: '7' });
  const [own] = await statement('SELECT pg_backend_pid() AS pid');
  const lost = await theConnection();
  const ended = new Promise((resolve) => lost.once('end', resolve));
  const another = new Client({ connectionString: process.env['DATABASE_URL'] });
  await another.connect();
  await another.query('SELECT pg_terminate_backend($1)', [own?.['pid']]);
  await another.end();
  await ended;
  expect(await ahead(probe, [true])).toEqual({ a: '7' });
});

test('a failing statement is rolled back alone, and runs the next time', async () => {
  const quotient = 'SELECT 10 / $1::int AS n';
  for (const _ of [1, 2]) {
    await expect(ahead(quotient, [0])).rejects.toThrow('division by zero');
    expect(await ahead(quotient, [5])).toEqual({ n: 2 });
  }
  const wrong = 'SELECT nothing FROM nowhere';
  for (const _ of [1, 2]) await expect(ahead(wrong)).rejects.toThrow('nowhere');
  expect(await ahead(quotient, [5])).toEqual({ n: 2 });
});

test('a value that cannot be sent leaves the connection usable', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  await expect(ahead('SELECT $1::text AS a', [circular])).rejects.toThrow('circular');
  expect(await ahead('SELECT $1::text AS a', ['x'])).toEqual({ a: 'x' });
});

test('a connection keeps 48 prepared statements, the most recently used ones', async () => {
  const often = 'SELECT 0 AS n';
  for (let n = 1; n <= 120; n += 1) {
    expect(await ahead(`SELECT ${n} AS n`)).toEqual({ n });
    expect(await ahead(often)).toEqual({ n: 0 });
  }
  const [counted] = await statement(
    `SELECT count(*)::int AS n, bool_or(statement = '${often}') AS often FROM pg_prepared_statements`,
  );
  expect(counted).toEqual({ n: 48, often: true });
});

test('a prepared statement is sent by name alone, and its columns are described once', async () => {
  const client = await theConnection();
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  const writing = jest.spyOn(stream, 'write');
  for (const _ of [1, 2, 3]) expect(await ahead('SELECT 42 AS n')).toEqual({ n: 42 });
  const sent = writing.mock.calls.map(([message]) => String(message));
  writing.mockRestore();
  expect(sent.filter((message) => message.includes('SELECT 42 AS n'))).toHaveLength(1);
  // Describe of the unnamed portal: 'D', a length of 6, 'P', no name.
  expect(sent.map((message) => message.includes('D\0\0\0\x06P\0'))).toEqual([true, false, false]);
});

test("values are parsed by their column's type, NULL too, on every use of a prepared statement", async () => {
  const all = `SELECT 7 AS a, 'x' AS b, NULL::int AS c, true AS d, '{"e": [1]}'::json AS f, now() IS NULL AS g`;
  for (const _ of [1, 2, 3])
    expect(await ahead(all)).toEqual({ a: 7, b: 'x', c: null, d: true, f: { e: [1] }, g: false });
  for (const _ of [1, 2]) expect(await ahead('SELECT 1 AS a WHERE false')).toBeUndefined();
});

describe('a last statement with COMMIT', () => {
  const rename = (column: 'city' | 'state', value: string) => ({
    text: `UPDATE chapters SET ${column} = $1 WHERE organization_id = $2 AND id = $3`,
    values: [value, world.organizationId, world.chapterId],
  });
  const before = (value: string) => modules.rows(rename('state', value).text, rename('state', value).values);
  const last = (value: string) => modules.queryAndCommit(rename('city', value).text, rename('city', value).values);
  const inTransaction = (work: () => Promise<unknown>) => modules.inTenant(world.organizationId, work);
  const place = async () => (await asOwner('SELECT city, state FROM chapters WHERE id = $1', [world.chapterId]))[0];

  test('a last statement with COMMIT is durable when it returns, with the earlier statements', async () => {
    await inTransaction(async () => {
      await before('WA');
      await last('Seattle');
      expect(await place()).toEqual({ city: 'Seattle', state: 'WA' });
    });
  });

  test('a last statement with COMMIT that fails rolls the transaction back', async () => {
    const failing = inTransaction(async () => {
      await before('OR');
      await modules.queryAndCommit('SELECT 1 / $1::int AS a', [0]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await place()).toEqual({ city: 'Seattle', state: 'WA' });
    expect(await inTransaction(() => modules.rows('SELECT 1 AS a'))).toEqual([{ a: 1 }]);
  });

  test('a statement after the last one with COMMIT is refused, and nothing is rolled back', async () => {
    const late = inTransaction(async () => {
      await last('Spokane');
      await before('ID');
    });
    await expect(late).rejects.toThrow('has ended');
    expect(await place()).toEqual({ city: 'Spokane', state: 'WA' });
  });
});
