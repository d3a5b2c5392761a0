/** Postgres's catalog shows whether every table is isolated. */
import { Client } from 'pg';
import { PLATFORM_TABLES } from '../../models/database/platformTables.js';
import { isolationProblems } from './isolationProblems.js';

let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: process.env['DATABASE_OWNER_URL'] as string });
  await client.connect();
});
beforeEach(() => client.query('BEGIN'));
afterEach(() => client.query('ROLLBACK'));
afterAll(() => client.end());

const isolated = (name: string) => `
  CREATE TABLE ${name} (id uuid PRIMARY KEY, organization_id uuid NOT NULL, chapter_id uuid, UNIQUE (organization_id, id));
  ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${name} TO membership_runtime
    USING (organization_id = (SELECT app.org_id())) WITH CHECK (organization_id = (SELECT app.org_id()));
  CREATE POLICY owner_sees_all ON ${name} TO CURRENT_USER USING (true) WITH CHECK (true);`;

test('every table is isolated or on the platform list', async () => {
  expect(await isolationProblems(client)).toEqual([]);
});

test('every platform table has a reason', () => {
  for (const reason of Object.values(PLATFORM_TABLES)) expect(reason.length).toBeGreaterThan(20);
});

test('an isolated table has no problem', async () => {
  await client.query(isolated('probe'));
  expect(await isolationProblems(client)).toEqual([]);
});

/** Possible mistakes, and the problem that the catalog test reports. */
const MISTAKES: [sql: string, problem: string][] = [
  ['CREATE TABLE probe (id uuid PRIMARY KEY)', 'probe does not force row level security'],
  [`${isolated('probe')} ALTER TABLE probe NO FORCE ROW LEVEL SECURITY`, 'probe does not force row level security'],
  [`${isolated('probe')} DROP POLICY tenant ON probe`, 'probe has no tenant policy for reading and writing'],
  [`${isolated('probe')} DROP POLICY owner_sees_all ON probe`, 'probe has no policy for the owner'],
  [`${isolated('probe')} CREATE POLICY more ON probe USING (true)`, 'probe has a policy too many: more'],
  [
    `${isolated('probe')} DROP POLICY tenant ON probe;
     CREATE POLICY tenant ON probe TO membership_runtime USING (true) WITH CHECK (organization_id = (SELECT app.org_id()))`,
    'probe has no tenant policy for reading and writing',
  ],
  [
    `${isolated('probe')} ALTER TABLE probe ALTER organization_id DROP NOT NULL`,
    'probe has no organization_id uuid NOT NULL',
  ],
  [
    `${isolated('probe')} ALTER TABLE probe ADD CONSTRAINT short FOREIGN KEY (chapter_id) REFERENCES chapters (id)`,
    'probe.short leaves the tenant out',
  ],
  [
    `${isolated('probe')} CREATE UNIQUE INDEX probe_global ON probe (chapter_id)`,
    'probe: the key probe_global spans tenants',
  ],
  [
    `${isolated('probe')} ALTER TABLE probe DROP CONSTRAINT probe_organization_id_id_key`,
    'probe has no index that begins with the tenant',
  ],
  ['CREATE VIEW probe AS SELECT * FROM chapters', 'probe is a view with the eyes of its owner'],
  ['CREATE MATERIALIZED VIEW probe AS SELECT * FROM chapters', 'probe cannot be isolated'],
  ['CREATE SCHEMA aside; CREATE TABLE aside.probe (id uuid)', 'aside.probe hides in another schema'],
  [
    'CREATE FUNCTION app.probe() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$ SELECT count(*) FROM chapters $$',
    'probe runs as its owner',
  ],
  ['GRANT TRUNCATE ON chapters TO membership_runtime', 'membership_runtime may TRUNCATE chapters'],
  ['DROP TABLE throttles', 'throttles is on the platform list and is not there'],
];

test.each(MISTAKES.map(([sql, problem]) => [problem, sql] as const))(
  'the catalog check finds the problem: %s',
  async (problem, sql) => {
    await client.query(sql);
    expect(await isolationProblems(client)).toContain(problem);
  },
);

test('a view with security_invoker has no problem', async () => {
  await client.query('CREATE VIEW probe WITH (security_invoker = true) AS SELECT * FROM chapters');
  expect(await isolationProblems(client)).toEqual([]);
});
