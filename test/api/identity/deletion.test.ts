import { listErasures } from '../../../models/identity/deletion/erasePerson.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin, aWorld, type Person } from '../../support/world.js';

let person: Person;

const { api, world } = apiWorld();
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
});

const PATH = '/api/auth/me/deletion/';
const as = ({ token }: { token: string }) => new Client(api.url, { token });
const DAY = 86_400_000;

test('a deletion request records its date, notifies the person, writes the logs and starts the process', async () => {
  const { status, body } = await as(person).post(PATH);
  expect(status).toBe(202);
  expect(Math.abs(Date.parse(body.erases_at) - Date.now() - 7 * DAY)).toBeLessThan(60_000);
  expect((await as(person).get(PATH)).body).toEqual(body);
  expect((await as(person).get('/api/auth/me/')).body.memberships[0].status).toBe('undergrad');

  const notices = await asOwner('SELECT kind, email FROM account_notices WHERE user_id = $1', [person.userId]);
  expect(notices).toEqual([{ kind: 'account_deletion_requested', email: person.email }]);
  const events = await asOwner("SELECT kind FROM security_events WHERE user_id = $1 AND kind LIKE 'account%'", [
    person.userId,
  ]);
  expect(events).toEqual([{ kind: 'account.deletion_requested' }]);
  const started = await asOwner<{ input: object }>(
    `SELECT o.input FROM outbox o JOIN account_deletions d ON o.workflow_id = 'account-deletion/' || d.id
      WHERE d.user_id = $1`,
    [person.userId],
  );
  expect(started).toHaveLength(1);
  expect(Object.keys(started[0]?.input ?? {}).toSorted()).toEqual(['deletionId', 'organizationId']);
});

test('a second deletion request is refused, and a cancelled one may be made again', async () => {
  const answers = await Promise.all([as(person).post(PATH), as(person).post(PATH), as(person).post(PATH)]);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect((await as(person).post(PATH)).body.code).toBe('deletion_requested');

  expect((await as(person).delete(PATH)).status).toBe(204);
  expect((await as(person).get(PATH)).status).toBe(404);
  expect((await as(person).delete(PATH)).status).toBe(404);
  expect((await as(person).post(PATH)).status).toBe(202);
});

test('an erasure that has begun cannot be cancelled', async () => {
  await as(person).post(PATH);
  await asOwner("UPDATE account_deletions SET status = 'erasing' WHERE user_id = $1", [person.userId]);
  expect((await as(person).delete(PATH)).status).toBe(404);
});

test('the only admin of an organization cannot delete the account until another enabled admin exists', async () => {
  const tenant = await aWorld();
  expect((await as(tenant.admin).post(PATH)).body.code).toBe('last_admin');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    tenant.organizationId,
    tenant.member.userId,
  ]);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [tenant.member.userId]);
  expect((await as(tenant.admin).post(PATH)).body.code).toBe('last_admin');
  await asOwner('UPDATE users SET disabled_at = NULL WHERE id = $1', [tenant.member.userId]);
  expect((await as(tenant.admin).post(PATH)).status).toBe(202);
});

test('the only platform admin cannot delete the account', async () => {
  const one = await aPlatformAdmin();
  await asOwner('UPDATE users SET is_platform_admin = false WHERE id <> $1', [one.userId]);
  expect((await as(one).post(PATH)).body).toMatchObject({ code: 'last_admin' });
  await aPlatformAdmin();
  expect((await as(one).post(PATH)).status).toBe(202);
});

test('a deletion request needs a session with a recent sign-in and accepts no fields', async () => {
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [person.userId]);
  expect((await as(person).post(PATH)).body.code).toBe('step_up_required');
  expect((await new Client(api.url).post(PATH)).status).toBe(401);
  expect((await as(person).post(PATH, { now: true })).status).toBeGreaterThanOrEqual(400);
});

/** Matches columns that hold personal data or refer to a person. */
const PERSONAL =
  '(email|phone|(first|last|payer|preferred|typed)_name|birth|address_line|postal_code|justification|name_id|provider_name|' +
  'provider_session|ip_address|user_agent|password_hash|payload)';

test('every column that refers to a person or holds personal data is covered by the erasure of some area', async () => {
  const columns = await asOwner<{ name: string }>(
    `SELECT r.relname || '.' || a.attname AS name
       FROM pg_class r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE r.relkind IN ('r', 'p') AND NOT r.relispartition AND r.relnamespace = 'public'::regnamespace
        AND (a.attname ~ $1 AND a.atttypid <> 'boolean'::regtype OR EXISTS (
          SELECT FROM pg_constraint c JOIN pg_attribute named ON named.attrelid = c.confrelid AND named.attname = 'id'
           WHERE c.contype = 'f' AND c.conrelid = r.oid
             AND c.confrelid IN ('users'::regclass, 'memberships'::regclass, 'sessions'::regclass)
             AND a.attnum = c.conkey[array_position(c.confkey, named.attnum)]))
      ORDER BY 1`,
    [PERSONAL],
  );
  const erasures = listErasures();
  const deleted = Object.assign({}, ...erasures.map((erasure) => erasure.deletedTables)) as Record<string, string>;
  const named = erasures.flatMap(({ erasedColumns: emptied = {}, retainedColumns: retained = {} }) => [
    ...Object.keys(retained),
    ...Object.entries(emptied).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
  ]);
  const required = columns.map(({ name }) => name).filter((name) => !((name.split('.')[0] as string) in deleted));
  expect(required.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !required.includes(name))).toEqual([]);
  // The erasure deletes from each table by an existing column, with the rights of the worker's role.
  for (const [table, column] of Object.entries(deleted)) {
    const [may] = await asOwner<{ may: boolean }>(
      `SELECT has_table_privilege('membership_runtime', $1, 'DELETE')
              AND EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2) AS may`,
      [table, column],
    );
    expect([table, may]).toEqual([table, { may: true }]);
  }
});
