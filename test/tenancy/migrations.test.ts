/** Each migration goes up and down, also over rows. */
import { migrateDown, migrateUp, migrationStatus } from '../../models/database/migrate.js';
import { migrationNames } from '../../models/database/migrationNames.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aWorld } from '../support/world.js';
import { fillEveryTable } from './everyTable.js';

const owner = process.env['DATABASE_OWNER_URL'] as string;
const runtime = process.env['DATABASE_URL'] as string;

afterAll(closeOwner);

/** Everything that migrations make, in words. */
async function catalog(): Promise<string[]> {
  const found = await asOwner<{ line: string }>(`
    SELECT 'column ' || table_schema || '.' || table_name || '.' || column_name || ' ' || data_type || ' '
           || is_nullable || ' ' || coalesce(column_default, '') AS line
      FROM information_schema.columns WHERE table_schema IN ('public', 'app')
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'policy ' || tablename || ' ' || policyname || ' ' || cmd || ' ' || roles::text || ' '
           || coalesce(qual, '') || ' ' || coalesce(with_check, '') FROM pg_policies
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = to_regnamespace('app')
    UNION ALL SELECT 'grant ' || table_name || ' ' || privilege_type || ' ' || grantee
      FROM information_schema.role_table_grants WHERE table_schema = 'public' AND grantee LIKE 'membership%'
    ORDER BY 1`);
  return found.map(({ line }) => line);
}

const ledgerOnly = (lines: string[]) => lines.filter((line) => !line.includes('schema_migrations'));

test('the migrations go up, down over rows one by one, and up again to the same catalog', async () => {
  const before = await catalog();
  await fillEveryTable(await aWorld({ members: 1 }));

  const names = migrationNames();
  const reverted: string[] = [];
  for (const _ of names) reverted.push(...(await migrateDown(owner, runtime)));
  expect(reverted).toEqual([...names].reverse());
  expect(ledgerOnly(await catalog())).toEqual([]);

  expect(await migrateUp(owner, runtime)).toEqual(names);
  expect(await catalog()).toEqual(before);
  await fillEveryTable(await aWorld({ members: 1 }));
});

test('all of them go down at once, and up again', async () => {
  const before = await catalog();
  await migrateDown(owner, runtime, true);
  expect(ledgerOnly(await catalog())).toEqual([]);
  expect(await migrationStatus(owner, runtime)).toEqual({ applied: [], pending: migrationNames() });
  await migrateUp(owner, runtime);
  expect(await catalog()).toEqual(before);
});

test('up again changes nothing', async () => {
  expect(await migrateUp(owner, runtime)).toEqual([]);
});

test('two deployments at once migrate once', async () => {
  await migrateDown(owner, runtime, true);
  const applied = await Promise.all([migrateUp(owner, runtime), migrateUp(owner, runtime)]);
  expect(applied.map(({ length }) => length).sort((one, two) => one - two)).toEqual([0, migrationNames().length]);
});

test('an upgrade over rows of the version before keeps them', async () => {
  const newest = migrationNames().at(-1) as string;
  const world = await aWorld({ members: 1 });
  const read = () =>
    asOwner('SELECT * FROM memberships WHERE organization_id = $1 ORDER BY id', [world.organizationId]);
  const before = await read();
  expect(await migrateDown(owner, runtime)).toEqual([newest]);
  expect(await migrateUp(owner, runtime)).toEqual([newest]);
  expect(await read()).toEqual(before);
});
