/** Row level security, table by table, with rows of two tenants in each. */
import { sqlStateOf } from '../../models/database/constraints.js';
import { currentScope, sequelize } from '../../models/database/connection.js';
import { firstRow, rows } from '../../models/database/rows.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { Region } from '../../models/organizations/Region.js';
import { RUNTIME } from '../support/environment/facts';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld, type World } from '../support/world.js';
import { fillEveryTable, isolatedTables } from './everyTable.js';

const INSUFFICIENT_PRIVILEGE = '42501';
const READ_ONLY_TRANSACTION = '25006';

let tables: string[];
let own: World;
let other: World;

beforeAll(async () => {
  [own, other] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
  for (const world of [own, other]) await fillEveryTable(world);
  tables = await isolatedTables();
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const count = async (table: string): Promise<number> => {
  const [found] = await rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return (found as { count: number }).count;
};

/** The SQLSTATE with which the work fails. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return sqlStateOf(error) ?? sqlStateOf((error as Error).cause);
  }
  return undefined;
}

test('a session without a tenant sees no rows in the tables of tenants', async () => {
  for (const table of tables) expect([table, await inPlatform(() => count(table))]).toEqual([table, 0]);
});

test('a session with an unknown tenant sees no rows in the tables of tenants', async () => {
  for (const table of tables) expect([table, await inTenant(uuidv7(), () => count(table))]).toEqual([table, 0]);
});

test('a session of a tenant sees its rows in every table, and none of the other tenant', async () => {
  for (const table of tables) {
    const seen = await inTenant(own.organizationId, () =>
      rows<{ organization_id: string }>(`SELECT DISTINCT organization_id FROM ${table}`),
    );
    expect([table, seen]).toEqual([table, [{ organization_id: own.organizationId }]]);
  }
});

test('a condition on the other tenant finds no rows to read, change or delete', async () => {
  for (const table of tables) {
    await inTenant(own.organizationId, async () => {
      const where = `FROM ${table} WHERE organization_id = '${other.organizationId}'`;
      expect(await rows(`SELECT 1 ${where}`)).toEqual([]);
    });
    const changes = [`DELETE FROM ${table}`, `UPDATE ${table} SET organization_id = organization_id`];
    for (const change of changes) {
      const outcome = inTenant(own.organizationId, async () => {
        const done = await currentScope().transaction.connection.query(
          `${change} WHERE organization_id = '${other.organizationId}'`,
        );
        return done.rowCount;
      });
      // Append-only tables do not even grant the attempt.
      const refused = await outcome.catch((error: { code: string }) => error.code);
      expect([table, [0, INSUFFICIENT_PRIVILEGE]]).toEqual([table, expect.arrayContaining([refused])]);
    }
  }
});

test("a row with another organization's id is refused, in every table", async () => {
  for (const table of tables) {
    const [theirs] = await asOwner<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE organization_id = $1 LIMIT 1`,
      [other.organizationId],
    );
    const copy = JSON.stringify({ ...theirs?.row, id: uuidv7() });
    // Columns without an INSERT grant would prove nothing about the tenant; a whole table may be like that.
    const [{ columns }] = (await asOwner(
      `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
          AND (has_column_privilege('${RUNTIME.name}', attrelid, attnum, 'INSERT')
               OR NOT has_any_column_privilege('${RUNTIME.name}', attrelid, 'INSERT'))`,
      [table],
    )) as [{ columns: string }];
    const insert = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`;
    const code = await codeOf(() => inTenant(own.organizationId, () => rows(insert, [copy])));
    expect([table, code]).toEqual([table, INSUFFICIENT_PRIVILEGE]);
    const without = await codeOf(() => inPlatform(() => rows(insert, [copy])));
    expect([table, without]).toEqual([table, INSUFFICIENT_PRIVILEGE]);
  }
});

test('a row cannot be moved to another organization', async () => {
  for (const table of tables) {
    const move = () => rows(`UPDATE ${table} SET organization_id = $1`, [other.organizationId]);
    const code = await codeOf(() => inTenant(own.organizationId, move));
    expect([table, code]).toEqual([table, INSUFFICIENT_PRIVILEGE]);
  }
});

test("a row cannot reference another tenant's chapter", async () => {
  const code = await codeOf(() =>
    inTenant(own.organizationId, () =>
      rows('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
        own.organizationId,
        own.officer.userId,
        other.chapterId,
      ]),
    ),
  );
  expect(code).toBe('23503');
});

test('every session can look up an organization, and only its own session can change it', async () => {
  const rename = () =>
    rows(`UPDATE organizations SET name = 'Taken' WHERE id = $1 RETURNING id`, [other.organizationId]);
  expect(await inPlatform(rename)).toEqual([]);
  expect(await inTenant(own.organizationId, rename)).toEqual([]);
  expect(
    await inPlatform(() => rows('SELECT id FROM organizations WHERE id = $1', [other.organizationId])),
  ).toHaveLength(1);
  expect(await codeOf(() => inPlatform(() => rows(`INSERT INTO organizations (name, slug) VALUES ('X', 'x')`)))).toBe(
    INSUFFICIENT_PRIVILEGE,
  );
});

test('no setting of a tenant survives its transaction on the connection', async () => {
  const tenant = () => firstRow<{ id: string | null }>('SELECT app.org_id() AS id, pg_backend_pid() AS pid');
  const seen = new Set<unknown>();
  for (let round = 0; round < 20; round += 1) {
    const inside = await inTenant(own.organizationId, tenant);
    const failed = inTenant(other.organizationId, () => rows('SELECT 1 / 0'));
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    const after = await inPlatform(tenant);
    expect([inside?.id, after?.id]).toEqual([own.organizationId, null]);
    for (const row of [inside, after]) seen.add((row as { pid?: number } | null)?.pid);
    expect(await inPlatform(() => count('chapters'))).toBe(0);
  }
  // The connections were really reused.
  expect(seen.size).toBeLessThan(20);
});

test('a read-only transaction refuses every write, by SQL and by a model', async () => {
  const readOnly = { readOnly: true };
  const byHand = () => rows(`UPDATE regions SET name = name || '!'`);
  expect(await codeOf(() => inTenant(own.organizationId, byHand, readOnly))).toBe(READ_ONLY_TRANSACTION);
  const row = () => Region.create({ organization_id: own.organizationId, name: 'West', states: [] });
  expect(await codeOf(() => inTenant(own.organizationId, row, readOnly))).toBe(READ_ONLY_TRANSACTION);
  const platform = () => rows('DELETE FROM throttles');
  expect(await codeOf(() => inPlatform(platform, readOnly))).toBe(READ_ONLY_TRANSACTION);
});

test('a read-only transaction cannot be made writable', async () => {
  const escape = async () => {
    await rows('SELECT count(*) FROM regions');
    await rows('SET TRANSACTION READ WRITE');
  };
  expect(await codeOf(() => inTenant(own.organizationId, escape, { readOnly: true }))).toBe('25001');
});
