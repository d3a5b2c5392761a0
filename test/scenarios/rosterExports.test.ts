/** Roster exports by a worker: repeated when the storage fails, ended when they are cancelled, and importable without changes. */
import { processId } from '../../api/processes/id.js';
import { temporal } from '../../gateways/temporal/client.js';
import { ERASED_ADDRESS } from '../../models/identity/deletion/erased.js';
import { ERASED_DOMAIN } from '../../models/fields.js';
import { aStore } from '../gateways/storage.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aMember, aPlaceholder } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
queueWorkers(['bulk'], { relay: true });

const requested = async (format = 'xlsx', more: object = {}): Promise<{ id: string; workflow_id: string }> =>
  (await stage.admin.post(`/api/organizations/${stage.world.organizationId}/roster-exports/`, { format, ...more }))
    .body;
const read = async (id: string) => (await stage.admin.get(`/api/roster-exports/${id}/`)).body;
const until = (id: string, wanted: string) =>
  eventually(
    () => read(id),
    ({ status }) => status === wanted,
    60,
  );

/** Texts that files, spreadsheets or their readers may take for something else. */
const TEXTS = [
  '=cmd|x',
  "'=said so",
  "'tis",
  '-Beta, "the second"; new',
  '+1 555',
  '＠home',
  'Zoë Ñandú 王',
  '_x0041_ & <b>',
  '007',
  '1e5',
  'TRUE',
  '2024-02-30',
];

/** Only in addresses: names have one line. */
const LINES = 'two\r\nlines, tab\tand\u000B all\u0001';

/** People of all kinds, with all of these texts in their names and fields. */
async function aDifficultRoster(): Promise<void> {
  const { organizationId, chapterId, otherChapterId } = stage.world;
  const [difficult] = await asOwner<{ id: string }>(
    `INSERT INTO chapters (organization_id, name) VALUES ($1, '="Ä", b' || chr(2)), ($1, 'ALPHA'), ($1, '="ä", b')
     RETURNING id`,
    [organizationId],
  );
  for (const [n, text] of TEXTS.entries()) {
    const { userId, membershipId } = await aMember(organizationId, n % 2 ? chapterId : (difficult?.id as string));
    await asOwner('UPDATE users SET first_name = $2, last_name = $2, phone_number = $2 WHERE id = $1', [userId, text]);
    await asOwner(
      `UPDATE memberships SET joined_date = date '1850-03-01' + $2::int * 5000, pledge_class = $3, crossing_semester = $3,
         crossing_date = date '1899-12-30' + $2::int * 30, line_number = $2, graduation_year = 1900 + $2,
         graduation_season = CASE WHEN $2 > 5 THEN 'FALL' END WHERE id = $1`,
      [membershipId, n, text],
    );
    await asOwner(
      `UPDATE member_profiles SET preferred_name = $3, date_of_birth = date '1900-01-01' + $4::int * 30,
         permanent_address_line1 = $3, city = $5, country = $3 WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId, text, n, n === 0 ? LINES : text],
    );
    if (n % 3 === 0)
      await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
        organizationId,
        userId,
        otherChapterId,
      ]);
  }
  const { userId: erased } = await aMember(organizationId, chapterId, 'member', 'inactive');
  await asOwner(`UPDATE users SET email = ${ERASED_ADDRESS}, disabled_at = now() WHERE id = $1`, [erased]);
  for (const status of ['pnm', 'associate', 'alumni', 'active_alumni', 'lifetime_alumni', 'disaffiliated', 'inactive'])
    await aMember(organizationId, chapterId, 'member', status);
  const invited = await aPlaceholder(organizationId, 'asked@example.org');
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3), ($1, $2, $4)', [
    organizationId,
    invited,
    chapterId,
    otherChapterId,
  ]);
  await asOwner(`UPDATE chapters SET status = 'suspended' WHERE id = $1`, [otherChapterId]);
}

test('importing an exported roster changes nothing, also with unusual texts', async () => {
  await aDifficultRoster();
  const snapshot = () =>
    asOwner(
      `SELECT to_jsonb(m) AS row FROM memberships m WHERE organization_id = $1
       UNION ALL SELECT to_jsonb(p) FROM member_profiles p WHERE organization_id = $1 ORDER BY 1`,
      [stage.world.organizationId],
    );
  const before = await snapshot();
  for (const format of ['csv', 'xlsx']) {
    const { id } = await requested(format, { with_profiles: true });
    const { download_url, rows_written } = await until(id, 'ready');
    const file = await (await fetch(download_url)).blob();
    if (format === 'csv') expect(await file.text()).not.toContain(ERASED_DOMAIN);
    const body = new FormData();
    body.append('file', file, `roster.${format}`);
    const uploaded = await fetch(`${stage.api.url}/api/organizations/${stage.world.organizationId}/imports/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stage.world.admin.token}` },
      body,
    });
    const address = `/api/imports/${((await uploaded.json()) as { id: string }).id}/`;
    const waits = () =>
      eventually(
        async () => (await stage.admin.get(address)).body,
        ({ step }) => step === null,
        60,
      );
    expect(await waits()).toMatchObject({ stage: 'mapping', rows_total: rows_written });
    expect((await stage.admin.post(`${address}preview/`)).status).toBe(202);
    const { preview_hash, rows_unchanged } = await waits();
    const others = (await stage.admin.get(`${address}rows/?page_size=100`)).body.results.filter(
      ({ outcome }: { outcome: string }) => outcome !== 'unchanged',
    );
    expect(others).toEqual([]);
    const { results } = (await stage.admin.get(`${address}rows/?page_size=100`)).body;
    expect(rows_unchanged).toBe(results.length);
    const confirmed = await stage.admin.post(`${address}process/`, { preview_hash, on_existing: 'overwrite' });
    expect(confirmed.status).toBe(202);
    expect(await waits()).toMatchObject({ outcome: 'completed', rows_left: rows_unchanged });
    expect(await snapshot()).toEqual(before);
  }
});

test('a roster export succeeds with another try when the storage fails for a moment', async () => {
  storage.fail(503, 3);
  const { id, workflow_id } = await requested();
  const { download_url } = await until(id, 'ready');
  const bytes = Buffer.from(await (await fetch(download_url)).arrayBuffer());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  expect(await temporal().workflow.getHandle(workflow_id).result()).toBe('ready');
  await recordHistory(workflow_id, 'exportRoster-ready');
});

test('an invoice export succeeds with another try after a storage failure, and can be started again after a cancellation', async () => {
  const path = `/api/organizations/${stage.world.organizationId}/invoice-exports/`;
  const stands = (id: string, wanted: string) =>
    eventually(
      async () => (await stage.admin.get(`${path}${id}/`)).body,
      ({ status }) => status === wanted,
      60,
    );
  storage.fail(503, 3);
  const { id, workflow_id } = (await stage.admin.post(path, {})).body;
  expect(await stands(id, 'ready')).toMatchObject({ sha256: expect.any(String), workflow_id });
  expect(await temporal().workflow.getHandle(workflow_id).result()).toBe('ready');
  await recordHistory(workflow_id, 'exportInvoices-ready');

  // Fewer failures than it gives up after, so that the export succeeds.
  storage.fail(503, 9);
  const other = (await stage.admin.post(path, {})).body;
  await stands(other.id, 'running');
  expect((await stage.admin.post(`/api/processes/${processId(other.workflow_id)}/cancel/`)).status).toBeLessThan(300);
  await stands(other.id, 'cancelled');
  await expect(temporal().workflow.getHandle(other.workflow_id).result()).rejects.toThrow();
  await recordHistory(other.workflow_id, 'exportInvoices-cancelled');
  expect((await stage.admin.post(`${path}${other.id}/retry/`)).status).toBe(202);
  await stands(other.id, 'ready');

  // It is cancelled and retried at once, and not lost between the two.
  const places = await Promise.all(Array.from({ length: 3 }, () => stage.admin.post(path, {})));
  for (const { body } of places) {
    await stage.admin.post(`${path}${body.id}/cancel/`);
    await stage.admin.post(`${path}${body.id}/retry/`);
  }
  for (const { body } of places) await stands(body.id, 'ready');
  const [{ body: first } = { body: {} }] = places;
  expect(await temporal().workflow.getHandle(first.workflow_id).result()).toBe('ready');
  await recordHistory(first.workflow_id, 'exportInvoices-tried-again');
});

test('a roster export whose storage stays down can be cancelled, and leaves no object', async () => {
  const before = storage.objects.keys();
  storage.fail(503, 1_000);
  const { id, workflow_id } = await requested();
  await eventually(
    () =>
      temporal()
        .workflow.getHandle(workflow_id)
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === 'RUNNING',
  );
  expect((await stage.admin.post(`/api/processes/${processId(workflow_id)}/cancel/`)).status).toBeLessThan(300);
  await until(id, 'cancelled');
  await expect(temporal().workflow.getHandle(workflow_id).result()).rejects.toThrow();
  storage.fail(503, 0);
  expect(storage.objects.keys()).toEqual(before);
  await recordHistory(workflow_id, 'exportRoster-cancelled');
});
