/** Migrations go up and down, also over rows; functions, triggers and guards equal their files, from any former state. */
import { migrateDown, migrateUp, migrationStatus, ownSchema, type Schema } from '../../models/database/migrate.js';
import type { Migration } from '../../models/database/schemaFiles.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aMember, aWorld } from '../support/world.js';
import { fillEveryTable } from './everyTable.js';

const owner = process.env['DATABASE_OWNER_URL'] as string;
const runtime = process.env['DATABASE_URL'] as string;

const own = ownSchema();
const names = own.migrations.map(({ name }) => name);
const all = [...names, ...own.definitions.map(({ name }) => name)];

const up = (schema = own) => migrateUp(owner, runtime, schema);
const down = (schema = own) => migrateDown(owner, runtime, false, schema);

afterAll(closeOwner);

/** Everything that migrations and definitions create, as text. */
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
    UNION ALL SELECT 'isolation ' || relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function ' || pg_get_functiondef(oid) || coalesce(proacl::text, '')
      FROM pg_proc WHERE pronamespace = to_regnamespace('app')
    UNION ALL SELECT 'schema ' || nspname || ' ' || nspacl::text FROM pg_namespace WHERE nspname IN ('public', 'app')
    UNION ALL SELECT 'grant ' || table_name || ' ' || privilege_type || ' ' || grantee
      FROM information_schema.role_table_grants WHERE table_schema = 'public' AND grantee LIKE 'membership%'
    UNION ALL SELECT 'grant ' || attrelid::regclass || '.' || attname || ' ' || attacl::text
      FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid::regclass::text !~ '^pg_'
    ORDER BY 1`);
  return found.map(({ line }) => line);
}

/** Only the tables of the migrations themselves remain. */
const beyondLedgers = (lines: string[]) =>
  lines.filter((line) => !/schema_(migrations|definitions)|^schema public/.test(line));

/** The number of rows in each table, and their contents. */
async function contents(): Promise<Record<string, string>> {
  const tables = await asOwner<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT LIKE 'schema\\_%' ORDER BY 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await asOwner<{ said: string }>(
      `SELECT count(*) || ' ' || md5(string_agg(to_jsonb(t)::text, '' ORDER BY to_jsonb(t)::text)) AS said FROM ${name} t`,
    );
    found[name] = row?.said ?? '';
  }
  return found;
}

/** A next release: one more migration, which also fills its new column, a changed function and a new one. */
const NEXT = '9001-nicknames';
const nicknames: Migration = {
  up: async ({ run }) =>
    run(`ALTER TABLE memberships ADD COLUMN nickname text;
         UPDATE memberships m SET nickname = u.first_name FROM users u WHERE u.id = m.user_id;
         -- definitions may alter the table in their transaction, which pending deferred checks would prevent
         SET CONSTRAINTS ALL IMMEDIATE`),
  down: async ({ run }) => run('ALTER TABLE memberships DROP COLUMN nickname'),
};
const anotherRelease = (changes: Record<string, string>, migration?: Migration): Schema => ({
  migrations: migration ? [...own.migrations, { name: NEXT, load: () => Promise.resolve(migration) }] : own.migrations,
  definitions: [
    ...own.definitions.map(({ name, sql }) => ({ name, sql: changes[name] ?? sql })),
    ...Object.entries(changes).flatMap(([name, sql]) => (all.includes(name) ? [] : [{ name, sql }])),
  ],
});

const GIVES_ACCESS = 'organizations/gives_access';
const givesAccess = (statuses: string) =>
  `CREATE OR REPLACE FUNCTION app.gives_access(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
     $$ SELECT status NOT IN (${statuses}) $$`;
const stricter = givesAccess(`'pnm','disaffiliated','inactive','alumni'`);
const shownName = `CREATE OR REPLACE FUNCTION app.shown_name(p_membership uuid) RETURNS text LANGUAGE sql STABLE AS
  $$ SELECT nickname FROM memberships WHERE id = p_membership $$`;

const letsAlumniIn = async () =>
  (await asOwner<{ access: boolean }>(`SELECT app.gives_access('alumni') AS access`))[0]?.access;

describe('migrations', () => {
  test('no two migrations have the same number', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  test('migrations go up, down over rows one by one, and up again to the same catalog', async () => {
    const before = await catalog();
    await fillEveryTable(await aWorld({ members: 1 }));

    const reverted: string[] = [];
    for (const _ of names) reverted.push(...(await down()));
    expect(reverted).toEqual([...names].reverse());
    expect(beyondLedgers(await catalog())).toEqual([]);

    expect(await up()).toEqual(all);
    expect(await catalog()).toEqual(before);
    await fillEveryTable(await aWorld({ members: 1 }));
  });

  test('all migrations go down at once, and two simultaneous deployments migrate up once', async () => {
    const before = await catalog();
    await migrateDown(owner, runtime, true);
    expect(beyondLedgers(await catalog())).toEqual([]);
    expect(await migrationStatus(owner, runtime)).toEqual({ applied: [], pending: all });
    const applied = await Promise.all([up(), up()]);
    expect(applied.map(({ length }) => length).sort((one, two) => one - two)).toEqual([0, all.length]);
    expect(await catalog()).toEqual(before);
    expect(await migrationStatus(owner, runtime)).toEqual({ applied: names, pending: [] });
  });

  test('a database with another migration history is left unchanged', async () => {
    await asOwner(`INSERT INTO schema_migrations (name) VALUES ('0001-somebody-elses')`);
    await expect(up()).rejects.toThrow('0001-somebody-elses');
    await asOwner(`DELETE FROM schema_migrations WHERE name = '0001-somebody-elses'`);
    expect(await up()).toEqual([]);
  });
});

describe('over rows', () => {
  let world: Awaited<ReturnType<typeof aWorld>>;
  beforeAll(async () => {
    world = await aWorld({ members: 2 });
    await fillEveryTable(world);
  });

  test('migrating up again changes nothing', async () => {
    const [before, rows] = [await catalog(), await contents()];
    const written = () => asOwner(`SELECT name, applied_at FROM schema_definitions ORDER BY 1`);
    const applied = await written();
    expect(await up()).toEqual([]);
    expect([await catalog(), await contents(), await written()]).toEqual([before, rows, applied]);
  });

  test('every definition can be applied repeatedly', async () => {
    const [before, rows] = [await catalog(), await contents()];
    await asOwner('DELETE FROM schema_definitions');
    expect(await up()).toEqual(own.definitions.map(({ name }) => name));
    expect([await catalog(), await contents()]).toEqual([before, rows]);
  });

  test('a release can be applied, applied again without changes, and reverted without losing a row', async () => {
    const [before, rows] = [await catalog(), await contents()];
    const next = anotherRelease({ [GIVES_ACCESS]: stricter, 'organizations/shown_name': shownName }, nicknames);

    expect((await up(next)).toSorted()).toEqual([NEXT, GIVES_ACCESS, 'organizations/shown_name'].toSorted());
    expect(await letsAlumniIn()).toBe(false);
    expect(
      await asOwner(
        'SELECT bool_and(m.nickname = u.first_name) AS filled FROM memberships m JOIN users u ON u.id = m.user_id',
      ),
    ).toEqual([{ filled: true }]);
    await asOwner('UPDATE memberships SET nickname = $2 WHERE id = $1', [world.member.membershipId, 'Max']);
    expect(await asOwner('SELECT app.shown_name($1) AS name', [world.member.membershipId])).toEqual([{ name: 'Max' }]);
    const [after, withNickname] = [await catalog(), await contents()];
    expect(await up(next)).toEqual([]);
    expect([await catalog(), await contents()]).toEqual([after, withNickname]);

    expect(await down(next)).toEqual([NEXT]);
    // The function that the release added stays until it is dropped explicitly.
    await asOwner('DROP FUNCTION app.shown_name(uuid)');
    expect(await up()).toEqual(own.definitions.map(({ name }) => name));
    expect(await letsAlumniIn()).toBe(true);
    expect(await catalog()).toEqual(before);
    const { memberships: _, ...others } = await contents();
    expect(others).toEqual(Object.fromEntries(Object.entries(rows).filter(([table]) => table !== 'memberships')));
    expect(await asOwner('SELECT count(*)::int AS n FROM memberships')).toEqual([
      { n: Number(rows['memberships']?.split(' ')[0]) },
    ]);
  });

  test('the release before runs on the schema of the next one, and restores its functions after a rollback', async () => {
    const next = anotherRelease({ [GIVES_ACCESS]: stricter }, nicknames);
    await up(next);
    expect(await migrationStatus(owner, runtime)).toMatchObject({ pending: [GIVES_ACCESS] });
    const joined = await aMember(world.organizationId, world.chapterId);
    expect(await up()).toEqual([GIVES_ACCESS]);
    expect(await letsAlumniIn()).toBe(true);
    expect(await asOwner('SELECT nickname FROM memberships WHERE id = $1', [joined.membershipId])).toEqual([
      { nickname: null },
    ]);
    await down(next);
    await up();
  });
});

describe('definitions', () => {
  test('a changed definition is applied alone, also when it returns to a former text', async () => {
    expect(await up(anotherRelease({ [GIVES_ACCESS]: stricter }))).toEqual([GIVES_ACCESS]);
    expect(await letsAlumniIn()).toBe(false);
    expect(await up()).toEqual([GIVES_ACCESS]);
    expect(await letsAlumniIn()).toBe(true);
    expect(await up(anotherRelease({ [GIVES_ACCESS]: stricter }))).toEqual([GIVES_ACCESS]);
    expect(await up()).toEqual([GIVES_ACCESS]);
    expect(await up()).toEqual([]);
  });

  test('definitions are applied all or none: a failing one leaves the others unchanged', async () => {
    const broken = anotherRelease({ [GIVES_ACCESS]: stricter, 'processes/pending_intents': 'SELECT nothing' });
    await expect(up(broken)).rejects.toThrow('processes/pending_intents: column "nothing" does not exist');
    expect(await letsAlumniIn()).toBe(true);
    expect(await up()).toEqual([]);
  });

  test('a column that a function uses is not dropped: the migration is applied, and its error is repeated', async () => {
    const thoughtless: Migration = {
      up: async ({ run }) => run('ALTER TABLE organizations RENAME COLUMN timezone TO zone'),
      down: async ({ run }) => run('ALTER TABLE organizations RENAME COLUMN zone TO timezone'),
    };
    const next = anotherRelease({}, thoughtless);
    await expect(up(next)).rejects.toThrow(/column "?(o\.)?timezone"? does not exist/);
    expect(await down(next)).toEqual([NEXT]);
    expect(await up()).toEqual(own.definitions.map(({ name }) => name));
  });

  test('every function, trigger, policy and grant that is dropped is restored by the definitions', async () => {
    const before = await catalog();
    await asOwner(`DO $$ DECLARE found record; BEGIN
      EXECUTE (SELECT string_agg('DROP FUNCTION ' || oid::regprocedure || ' CASCADE', ';') FROM pg_proc
                WHERE pronamespace = 'app'::regnamespace);
      FOR found IN SELECT * FROM pg_policies WHERE schemaname = 'public' LOOP
        EXECUTE format('DROP POLICY %I ON %I', found.policyname, found.tablename);
      END LOOP;
      FOR found IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', found.relname);
        EXECUTE format('REVOKE ALL ON %I FROM membership_runtime', found.relname);
      END LOOP;
      REVOKE ALL ON SCHEMA app, public FROM membership_runtime;
      DELETE FROM schema_definitions;
    END $$`);
    expect((await catalog()).filter((line) => /^(function|trigger|policy)/.test(line))).toEqual([]);
    await up();
    expect(await catalog()).toEqual(before);
  });

  test('each definition file is named after the one function or view that it defines', () => {
    const functions = own.definitions.filter(({ name }) => !name.includes('/guards/') && name !== 'database/grants');
    for (const { name, sql } of functions) {
      const defines = /^\s*CREATE (?:OR REPLACE )?(?:FUNCTION app\.(?=\w+\()|VIEW )(\w+)/gm;
      const defined = [...sql.matchAll(defines)].map(([, found]) => found);
      expect([name, defined]).toEqual([name, [name.split('/')[1]]]);
    }
    expect(new Set(functions.map(({ name }) => name.split('/')[1])).size).toBe(functions.length);
  });

  test('another runtime role gets the same grants', async () => {
    const policies = async () => (await catalog()).filter((line) => /^(policy|trigger)/.test(line));
    const before = await policies();
    // A role that every Postgres has.
    await migrateUp(owner, runtime.replace('membership_runtime', 'pg_monitor'));
    expect((await policies()).join()).not.toContain('membership_runtime');
    expect(await policies()).toHaveLength(before.length);
    expect(await up()).toEqual(own.definitions.map(({ name }) => name));
    expect(await policies()).toEqual(before);
  });
});
