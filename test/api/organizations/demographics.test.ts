/** Tests demographic data: members write their own, and few others read them. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { writeRoster } from '../../../activities/organizations/rosterExports.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { log } from '../../../models/log.js';
import { FILL_ETHNICITY } from '../../../models/organizations/profiles/demographics.js';
import { aStore } from '../../gateways/storage.support.js';
import type { Reply } from '../../support/api.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { idsOf, named, PRIVATE } from '../../tenancy/everyRoute.js';
import { addressOf } from '../../tenancy/foreignIds.js';
import { impersonating } from '../identity/impersonation.support.js';
import { statuses } from './statuses.support.js';

aStore();
const stage = apiWorld();
const { world } = stage;
const here = (chapter = world.chapterId) => aMember(world.organizationId, chapter);
const path = (id: string) => `/api/memberships/${id}/demographics/`;
const sample = { ethnicity: 'Basque', gender: 'woman', pronouns: 'she/her', first_generation: true };
const statusAndCode = ({ status, body }: Reply<{ code?: string }>) => [status, body.code];
const NOTHING = { ethnicity: null, gender: null, pronouns: null, first_generation: null, version: 0 };

test('a member replaces or patches their demographic data and reads them back', async () => {
  const person = await here();
  const own = stage.as(person);
  expect((await own.get(path(person.membershipId))).body).toEqual({ user: person.userId, ...NOTHING });
  const written = await own.put(path(person.membershipId), { ethnicity: 'Latina', first_generation: true, version: 0 });
  expect(written.body).toEqual({
    user: person.userId,
    ...NOTHING,
    ethnicity: 'Latina',
    first_generation: true,
    version: 1,
  });
  expect((await own.patch(path(person.membershipId), { pronouns: 'she/her' })).body).toMatchObject({
    ethnicity: 'Latina',
    pronouns: 'she/her',
    version: 2,
  });
  expect((await own.patch(path(person.membershipId), { pronouns: null, version: 1 })).body.code).toBe('stale_version');
  expect((await own.put(path(person.membershipId), { gender: 'Woman' })).body).toMatchObject({
    ethnicity: null,
    pronouns: null,
    first_generation: null,
    gender: 'Woman',
  });
  for (const bad of [{ ethnicity: '' }, { ethnicity: 'x'.repeat(101) }, { first_generation: 'yes' }, { shoe_size: 43 }])
    expect(Object.keys((await own.patch(path(person.membershipId), bad)).body.errors)).toEqual(Object.keys(bad));
});

test("only the readers of the specification see the data, and each read of another's data is audited", async () => {
  const person = await here();
  await stage.as(person).put(path(person.membershipId), { ethnicity: 'Canary-7f3a' });
  const readers = [stage.officer, stage.admin, stage.as(world.regionalAdmin), stage.as(person)];
  for (const reader of readers)
    expect((await reader.get(path(person.membershipId))).body.ethnicity).toBe('Canary-7f3a');
  const platform = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
  const others = [stage.member, stage.as(world.otherOfficer), platform];
  for (const other of others) expect((await other.get(path(person.membershipId))).status).toBe(404);
  for (const other of [...others, stage.officer, stage.admin])
    expect((await other.patch(path(person.membershipId), { ethnicity: 'Other' })).status).toBe(404);
  const log = (await stage.admin.get(`/api/organizations/${world.organizationId}/audit-log/?page_size=100`)).body;
  const read = log.results.filter(
    ({ action, subject_id }: { action: string; subject_id: string }) =>
      action === 'member_demographics.read' && subject_id === person.userId,
  );
  expect(read.map(({ actor }: { actor: { id: string } }) => actor.id).toSorted()).toEqual(
    [world.officer, world.admin, world.regionalAdmin].map(({ userId }) => userId).toSorted(),
  );
  // No other answer and no log contains the data.
  const elsewhere = await Promise.all(
    [
      `/api/memberships/${person.membershipId}/profile/`,
      `/api/memberships/${person.membershipId}/`,
      `/api/memberships/${person.membershipId}/history/`,
      `/api/chapters/${world.chapterId}/members/?page_size=100`,
      `/api/organizations/${world.organizationId}/member-search/?q=${person.email}`,
    ].map((address) => stage.admin.get(address)),
  );
  expect(JSON.stringify([log, ...elsewhere.map(({ body }) => body)])).not.toContain('Canary');
  expect(await asOwner(`SELECT FROM audit_values WHERE before::text || after::text LIKE '%Canary%'`)).toEqual([]);
});

test('a chapter that a member has left cannot read the data any more', async () => {
  const person = await here();
  await stage.as(person).put(path(person.membershipId), { ethnicity: 'Said' });
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
  for (const [reader, status] of [
    [stage.officer, 404],
    [stage.as(world.regionalAdmin), 404],
    [stage.admin, 200],
  ] as const)
    expect((await reader.get(path(person.membershipId))).status).toBe(status);
});

test('of ten concurrent first writes with a version one is accepted', async () => {
  const person = await here();
  const own = stage.as(person);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => own.put(path(person.membershipId), { gender: 'Woman', version: 0 })),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});

test('intake data fill only empty fields, and an erasure removes everything', async () => {
  const person = await here();
  const fill = (word: string) =>
    inTenant(world.organizationId, () =>
      rows(`WITH given AS (SELECT $3::text AS ethnicity) ${FILL_ETHNICITY}`, [
        world.organizationId,
        person.userId,
        word,
      ]),
    );
  expect([await fill('First'), await fill('Second')]).toEqual([[{ fields: ['ethnicity'] }], []]);
  for (let times = 0; times < 2; times += 1)
    await inTenant(world.organizationId, () => eraseInOrganization(person.userId));
  expect(await asOwner('SELECT FROM member_demographics WHERE user_id = $1', [person.userId])).toEqual([]);
});

test('another organization cannot read or write the data', async () => {
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.put(path(id), {}));
  expect((await stage.nobody.get(path(world.member.membershipId))).status).toBe(401);
});

test('demographic data are closed to an impersonation', async () => {
  const { client } = await impersonating(stage.api.url, world);
  for (const answer of [
    await client.get(path(world.member.membershipId)),
    await client.put(path(world.member.membershipId), sample),
    await client.patch(path(world.member.membershipId), sample),
  ])
    expect(statusAndCode(answer)).toEqual([403, 'impersonation_area_closed']);
  const officers = await impersonating(stage.api.url, world, world.officer.membershipId);
  expect(statusAndCode(await officers.client.get(path(world.member.membershipId)))).toEqual([
    403,
    'impersonation_area_closed',
  ]);
});

test('a read that cannot be audited fails', async () => {
  const person = await here();
  await asOwner(`CREATE FUNCTION refuse_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no entry'; END $$`);
  await asOwner(`CREATE TRIGGER refuse_entries BEFORE INSERT ON audit_log FOR EACH ROW
    WHEN (NEW.action = 'member_demographics.read') EXECUTE FUNCTION refuse_entries()`);
  try {
    expect((await stage.officer.get(path(person.membershipId))).status).toBe(500);
    expect((await stage.as(person).get(path(person.membershipId))).status).toBe(200);
  } finally {
    await asOwner('DROP FUNCTION refuse_entries() CASCADE');
  }
});

const CANARY = 'Zzcanary';
/** The requests that may fail. */
const QUERY: Record<string, string> = {
  'GET /api/organizations/:organization_id/member-search/': '?q=First',
  'GET /api/organizations/:organization_id/audit-log/': '?page_size=100',
};
/** The requests among them that must succeed. */
const LOOKED_AT = [
  'GET /api/chapters/:id/members/',
  'GET /api/memberships/:id/',
  'GET /api/memberships/:id/profile/',
  'GET /api/memberships/:id/demographics/',
  'GET /api/organizations/:organization_id/audit-log/',
  'GET /api/organizations/:organization_id/member-search/',
];

/** Finds every table that contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await asOwner<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const queries = tables.map(({ name }) => `SELECT '${name}' AS name FROM ${name} t WHERE t::text LIKE $1`);
  const found = await asOwner<{ name: string }>(queries.join(' UNION '), [`%${text}%`]);
  return found.map(({ name }) => name);
}

test('no other table, answer, file or log line contains the data', async () => {
  const { member, admin, organizationId } = world;
  const lines = (['info', 'warn', 'error'] as const).map((level) => jest.spyOn(log, level));
  await stage.member.put(path(member.membershipId), {
    ethnicity: `${CANARY} 1`,
    gender: `${CANARY} 2`,
    pronouns: 'they',
  });
  await stage.member.patch(path(member.membershipId), { pronouns: `${CANARY} 3` });
  expect((await stage.admin.get(path(member.membershipId))).body.pronouns).toBe(`${CANARY} 3`);

  const exports = `/api/organizations/${organizationId}/roster-exports/`;
  const { id: exportId } = (await stage.admin.post(exports, { format: 'csv' })).body;
  await new MockActivityEnvironment().run(writeRoster, { organizationId, exportId });
  const { download_url } = (await stage.admin.get(`/api/roster-exports/${exportId}/`)).body;
  const file = await (await fetch(download_url)).text();
  expect([file.includes(member.email), file.includes(CANARY)]).toEqual([true, false]);

  const of = { chapters: world.chapterId, memberships: member.membershipId, users: member.userId };
  const ids = { ...(await idsOf(world)), ...of };
  const own = path(member.membershipId);
  const reading = PRIVATE.filter(({ method, path: at }) => method === 'get' && !at.endsWith('/realtime/'));
  const shown: string[] = [];
  const answered = new Set<string>();
  for (const route of reading) {
    const address = addressOf(route, ids) + (QUERY[named(route)] ?? '');
    for (const client of [stage.as(admin), stage.as(member)]) {
      const { status, body } = await client.get(address);
      if (status === 200) answered.add(named(route));
      if (address !== own && JSON.stringify(body ?? '').includes(CANARY)) shown.push(named(route));
    }
  }
  expect(shown).toEqual([]);
  expect(LOOKED_AT.filter((name) => !answered.has(name))).toEqual([]);

  expect(await tablesWith(CANARY)).toEqual(['member_demographics']);
  const logged = JSON.stringify(lines.flatMap(({ mock }) => mock.calls));
  expect([logged.includes(member.userId), logged.includes(CANARY)]).toEqual([true, false]);
  for (const line of lines) line.mockRestore();
});
