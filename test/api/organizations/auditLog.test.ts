import '../../../models/wireAreas.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { type AuditLogRow, exportAuditLog } from '../../../models/organizations/readAuditLog.js';
import { eraseInOrganization, listOrganizationsOf } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin } from '../../support/world.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (query = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/audit-log/${query && `?${query}`}`;
let region: string;

beforeAll(async () => {
  const made = await stage.admin.post(
    `/api/organizations/${stage.world.organizationId}/regions/`,
    { name: 'West' },
    {
      'X-Request-Id': 'the-first-request',
    },
  );
  region = made.body.id;
  await stage.admin.patch(`/api/organizations/${stage.world.organizationId}/regions/${region}/`, { name: 'Far West' });
  await stage.officer.patch(`/api/memberships/${stage.world.member.membershipId}/`, { pledge_class: 'Alpha' });
});

test('the audit log is for national admins', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  for (const person of [stage.world.member, stage.world.officer, stage.world.regionalAdmin]) {
    expect(await stage.as(person).get(path())).toMatchObject({ status: 403 });
  }
});

test("another organization's audit log is a 404, and its entries are not in this one", async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path('', id)));
  const there = await stage.as(stage.other.admin).get(path('', stage.other.organizationId));
  expect(there.body).toMatchObject({ count: 0, results: [] });
});

test('the audit log lists actor, action and changes, newest first', async () => {
  const { body } = await stage.admin.get(path());
  expect(body.results.map(({ action }: { action: string }) => action)).toEqual([
    'membership.updated',
    'region.updated',
    'region.created',
  ]);
  expect(body.results[1]).toMatchObject({
    actor: { id: stage.world.admin.userId, email: stage.world.admin.email },
    subject_type: 'region',
    subject_id: region,
    ip_address: expect.any(String),
    request_id: expect.any(String),
    before: { name: 'West' },
    after: { name: 'Far West' },
  });
});

test('each filter narrows the audit log', async () => {
  const actions = async (query: string) =>
    (await stage.admin.get(path(query))).body.results.map(({ action }: { action: string }) => action);
  expect(await actions(`actor=${stage.world.officer.userId}`)).toEqual(['membership.updated']);
  expect(await actions('action=region.created')).toEqual(['region.created']);
  expect(await actions(`subject_type=region&subject_id=${region}`)).toEqual(['region.updated', 'region.created']);
  expect(await actions('request_id=the-first-request')).toEqual(['region.created']);
  expect(await actions('since=2100-01-01T00:00:00Z')).toEqual([]);
  expect(await actions('until=2000-01-01T00:00:00%2B02:00')).toEqual([]);
  expect(await actions('since=2000-01-01T00:00:00Z&until=2100-01-01T00:00:00Z')).toHaveLength(3);
});

test('since is inclusive and until exclusive', async () => {
  const [newest] = (await stage.admin.get(path())).body.results;
  const at = encodeURIComponent(newest.created_at);
  expect((await stage.admin.get(path(`since=${at}`))).body.results).toContainEqual(newest);
  expect((await stage.admin.get(path(`until=${at}`))).body.results).not.toContainEqual(newest);
});

test('a filter accepts a time with any UTC offset', async () => {
  const [newest] = (await stage.admin.get(path())).body.results;
  // 23 hours and 59 minutes ahead of UTC: the same moment, to the microsecond.
  const ahead = new Date(Date.parse(newest.created_at) + (23 * 60 + 59) * 60_000).toISOString().slice(0, 19);
  const [fraction = ''] = /\.\d+/.exec(newest.created_at) ?? [];
  const query = (name: string) => path(`${name}=${encodeURIComponent(`${ahead}${fraction}+23:59`)}`);
  expect((await stage.admin.get(query('since'))).body.results).toEqual([newest]);
  expect((await stage.admin.get(query('until'))).body.results).not.toContainEqual(newest);
  const widest = 'since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59.999Z';
  expect((await stage.admin.get(path(widest))).body.results).toContainEqual(newest);
});

test('as a table, the log has every entry that matches the filters, and no cell is a formula', async () => {
  await asOwner(`UPDATE users SET first_name = '=1+1', last_name = 'Admin' WHERE id = $1`, [stage.world.admin.userId]);
  const filters = `subject_type=region&subject_id=${region}`;
  const { results } = (await stage.admin.get(path(filters))).body;
  const { headers, body } = await stage.admin.get(path(`${filters}&page=2&page_size=1&format=csv`));
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
  const [titles, ...lines] = (body as string).trim().split('\r\n');
  expect(titles).toBe(
    'id,created_at,action,actor,actor_name,actor_email,subject_type,subject_id,request_id,ip_address,before,after,erased',
  );
  const quoted = (fields: object | null) => fields && `"${JSON.stringify(fields).replaceAll('"', '""')}"`;
  expect(results).toHaveLength(2);
  expect(lines).toEqual(
    results.map((row: AuditLogRow) =>
      [
        row.id,
        row.created_at,
        row.action,
        row.actor?.id,
        "'=1+1 Admin",
        row.actor?.email,
        row.subject_type,
        row.subject_id,
        row.request_id,
        row.ip_address,
        quoted(row.before),
        quoted(row.after),
        'no',
      ].join(','),
    ),
  );
  expect((await stage.officer.get(path('format=csv'))).status).toBe(403);
});

test('pages of the table follow one another without a gap, also while entries arrive', async () => {
  const { organizationId } = stage.world;
  const expected = (await stage.admin.get(path())).body.results.map(({ id }: AuditLogRow) => id);
  const pages: string[][] = [];
  for await (const page of exportAuditLog(organizationId, {}, 2)) {
    if (pages.length === 0) await stage.admin.post(`/api/organizations/${organizationId}/regions/`, { name: 'East' });
    pages.push(page.map(({ id }) => id));
  }
  expect(pages).toEqual([expected.slice(0, 2), expected.slice(2)]);
});

describe('entries about an erased person', () => {
  const here = <T>(work: () => Promise<T>) => inTenant(stage.world.organizationId, work);
  const entriesOf = async (subject: string) => (await stage.admin.get(path(`subject_id=${subject}`))).body.results;
  const beside = async (userId: string) =>
    (await asOwner('SELECT FROM audit_values WHERE user_id = $1', [userId])).length;

  test('an erasure removes values and keeps who did what to whom, when, and to which fields', async () => {
    const officer = await aMember(stage.world.organizationId, stage.world.chapterId, 'officer');
    const person = await aMember(stage.world.organizationId, stage.world.chapterId);
    const edit = { pledge_class: 'Unmistakable', line_number: 7 };
    await stage.as(officer).patch(`/api/memberships/${person.membershipId}/`, edit);
    const [before] = await entriesOf(person.membershipId);
    expect(before).toMatchObject({ after: edit, erased: false, ip_address: expect.any(String) });

    await here(() => eraseInOrganization(person.userId));
    const [ended, updated] = await entriesOf(person.membershipId);
    expect(updated).toEqual({
      ...before,
      before: { pledge_class: null, line_number: null },
      after: { pledge_class: null, line_number: null },
      erased: true,
    });
    // The entry of the erasure itself.
    expect(ended).toMatchObject({ before: { status: null }, after: { status: null }, erased: true });
    expect(await asOwner(`SELECT FROM audit_log l WHERE l::text LIKE '%Unmistakable%'`)).toEqual([]);
    expect([await beside(person.userId), await beside(officer.userId)]).toEqual([0, 1]);

    // An officer's erasure removes the network addresses of the officer's own entries.
    await here(() => eraseInOrganization(officer.userId));
    expect((await entriesOf(person.membershipId)).at(-1)).toMatchObject({
      actor: { id: officer.userId },
      ip_address: null,
      erased: true,
    });
    await here(() => eraseInOrganization(officer.userId));
    expect(await beside(officer.userId)).toBe(0);
  });

  test('an erasure finds every organization in which the person has acted, even without a membership there', async () => {
    const { userId, token } = await aPlatformAdmin();
    const there = { 'X-Organization-Id': stage.world.organizationId };
    const regions = `/api/organizations/${stage.world.organizationId}/regions/`;
    await stage.as({ token }, there).post(regions, { name: 'Far off' });
    expect(await inPlatform(() => listOrganizationsOf(userId, null, 10))).toEqual([stage.world.organizationId]);
    await here(() => eraseInOrganization(userId));
    const { body } = await stage.admin.get(path(`actor=${userId}`));
    expect(body.results).toMatchObject([{ after: { name: 'Far off' }, ip_address: null, erased: true }]);
  });

  test('the runtime role cannot insert values freely, change entries, or see those of another organization', async () => {
    const values = (text: string, ...given: unknown[]) => here(() => rows(text, given));
    const [entry] = await asOwner<{ id: string }>('SELECT id FROM audit_log WHERE organization_id = $1 LIMIT 1', [
      stage.world.organizationId,
    ]);
    const { userId } = stage.other.member;
    await expect(
      values(
        'INSERT INTO audit_values (organization_id, entry_id, user_id) VALUES ($1, $2, $3)',
        stage.world.organizationId,
        entry?.id,
        userId,
      ),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(values(`UPDATE audit_values SET after = '{}'`)).rejects.toMatchObject({ code: '42501' });
    const visible = await inTenant(stage.other.organizationId, () => rows('SELECT FROM audit_values'));
    expect(visible).toEqual([]);
  });
});

test('the list is one statement', async () => {
  expect(await countStatements(() => stage.admin.get(path('page_size=1')))).toBe(3);
  expect(await countStatements(() => stage.admin.get(path('page_size=100')))).toBe(3);
});

test.each([
  'actor=me',
  'subject_id=7',
  'since=yesterday',
  'since=0000-01-01T00:00:00Z',
  'until=2025-13-01T00:00:00Z',
  'since=0001-01-01T00:00:00%2B23:59',
  'until=9999-12-31T23:59:59-23:59',
  'ordering=id',
  'format=xlsx',
])('%s is refused by name', async (query) => {
  const { status, body } = await stage.admin.get(path(query));
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(query.split('=')[0] as string);
});
