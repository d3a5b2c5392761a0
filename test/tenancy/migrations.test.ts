/** Migrations go up and down, also over rows; functions, triggers and guards equal their files, from any former state. */
import { AUDIT_LOG } from '../support/auditLog.js';
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
/** Migrates down to before this one, one by one. */
const downBelow = (name: string) =>
  migrateDown(owner, runtime, true, { ...own, migrations: own.migrations.slice(names.indexOf(name)) });

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

/** A next release: one more migration, a changed function and a new one. */
const NEXT = '9001-nicknames';
const nicknames: Migration = {
  up: async ({ run }) => run('ALTER TABLE memberships ADD COLUMN nickname text'),
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

  test('names in another Unicode form are normalized, and names that become equal stay distinct', async () => {
    await downBelow('0295-search-keys');
    const { organizationId: id, member, chapterId, otherChapterId } = await aWorld({ members: 1 });
    const [nfc, nfd] = ['Épsilon', 'Épsilon'.normalize('NFD')];
    await asOwner('UPDATE users SET first_name = $2 WHERE id = $1', [member.userId, nfd]);
    await asOwner('UPDATE chapters SET name = $2 WHERE id = $1', [chapterId, nfd]);
    await asOwner('UPDATE chapters SET name = $2 WHERE id = $1', [otherChapterId, nfc]);
    await asOwner('UPDATE organizations SET name = $2 WHERE id = $1', [id, nfd]);
    await up();
    const [row] = await asOwner(
      `SELECT u.first_name, c.name AS chapter, other.name AS other, o.name AS organization,
              (SELECT name LIKE '% ' || u.first_name FROM roster_names n WHERE n.user_id = u.id) AS follows
         FROM users u, chapters c, chapters other, organizations o
        WHERE u.id = $1 AND c.id = $2 AND other.id = $3 AND o.id = $4`,
      [member.userId, chapterId, otherChapterId, id],
    );
    expect(row).toEqual({
      first_name: nfc,
      chapter: `${nfc} ${chapterId.slice(-12)}`,
      other: nfc,
      organization: nfc,
      follows: true,
    });
  });

  test('all migrations go down at once, and up again', async () => {
    const before = await catalog();
    await migrateDown(owner, runtime, true);
    expect(beyondLedgers(await catalog())).toEqual([]);
    expect(await migrationStatus(owner, runtime)).toEqual({ applied: [], pending: all });
    await up();
    expect(await catalog()).toEqual(before);
    expect(await migrationStatus(owner, runtime)).toEqual({ applied: names, pending: [] });
  });

  test('two simultaneous deployments migrate once', async () => {
    await migrateDown(owner, runtime, true);
    const applied = await Promise.all([up(), up()]);
    expect(applied.map(({ length }) => length).sort((one, two) => one - two)).toEqual([0, all.length]);
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

  test('members from before the table of roster names are added to it, also members who join during the migration', async () => {
    const byName = () => asOwner('SELECT * FROM roster_names ORDER BY id');
    const before = await byName();
    expect(before.length).toBeGreaterThan(1);
    await downBelow('0005-roster-names');
    const joined = await aMember(world.organizationId, world.chapterId);
    await up();
    expect(await byName()).toEqual([...before, expect.objectContaining({ id: joined.membershipId })]);
  });

  test('personal values in old audit log entries are moved to the table of values, and back', async () => {
    const { organizationId, admin, member } = world;
    const entries = () => asOwner(`SELECT * FROM ${AUDIT_LOG} WHERE action LIKE 'old.%' ORDER BY action`);
    await downBelow('0011-temporary-passwords-and-logs');
    const write = (action: string, actor: string | null, type: string, subject: string, state: object) =>
      asOwner(
        `INSERT INTO audit_log (organization_id, actor_user_id, action, subject_type, subject_id, ip_address, before, after)
         VALUES ($1, $2, $3, $4, $5, '192.0.2.7', NULL, $6)`,
        [organizationId, actor, action, type, subject, JSON.stringify(state)],
      );
    await write('old.changed', admin.userId, 'membership', member.membershipId, { status: 'alumni', chapter_id: null });
    await write('old.own', member.userId, 'user', member.userId, { method: 'password' });
    await write('old.refused', null, 'user', member.userId, { reason: 'wrong_password' });
    await write('old.organization', admin.userId, 'region', world.regionId, { name: 'North' });
    await write('old.nobody', null, 'region', world.regionId, { name: 'North' });
    const inline = await asOwner(
      `SELECT action, ip_address, before, after FROM audit_log WHERE action LIKE 'old.%' ORDER BY 1`,
    );
    await up();
    expect(await entries()).toMatchObject(inline);
    const beside = await asOwner(
      `SELECT l.action, l.people, l.ip_address, l.after, array_agg(v.user_id ORDER BY v.user_id) AS of
         FROM audit_log l LEFT JOIN audit_values v ON v.entry_id = l.id WHERE l.action LIKE 'old.%' GROUP BY l.id ORDER BY 1`,
    );
    expect(beside).toEqual([
      {
        action: 'old.changed',
        people: 2,
        ip_address: null,
        after: { status: null, chapter_id: null },
        of: [admin.userId, member.userId].toSorted(),
      },
      { action: 'old.nobody', people: 0, ip_address: '192.0.2.7', after: { name: 'North' }, of: [null] },
      { action: 'old.organization', people: 1, ip_address: null, after: { name: 'North' }, of: [admin.userId] },
      { action: 'old.own', people: 1, ip_address: null, after: { method: null }, of: [member.userId] },
      { action: 'old.refused', people: 1, ip_address: null, after: { reason: null }, of: [member.userId] },
    ]);
    await downBelow('0011-temporary-passwords-and-logs');
    expect(
      await asOwner(`SELECT action, ip_address, before, after FROM audit_log WHERE action LIKE 'old.%' ORDER BY 1`),
    ).toEqual(inline);
    await up();
  });

  test('offices without the required status end, with an entry in the audit log', async () => {
    await downBelow('0010-active-standing');
    const leader = (status: string) => aMember(world.organizationId, world.chapterId, 'officer', status);
    const [graduate, inactive, here] = [
      await leader('alumni'),
      await leader('inactive'),
      await leader('active_alumni'),
    ];
    await up();
    const ids = [graduate, inactive, here].map(({ membershipId }) => membershipId);
    expect(await asOwner('SELECT role FROM memberships WHERE id = ANY ($1) ORDER BY id', [ids])).toEqual(
      ['alumni', 'member', 'officer'].map((role) => ({ role })),
    );
    const logged = await asOwner(
      `SELECT action, before, after FROM ${AUDIT_LOG} WHERE subject_id = ANY ($1) ORDER BY subject_id`,
      [ids],
    );
    expect(logged).toEqual(
      ['alumni', 'member'].map((role) => ({
        action: 'membership.updated',
        before: { role: 'officer' },
        after: { role },
      })),
    );
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
