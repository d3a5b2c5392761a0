/** Exports of invoices as workbooks: who may create one, what it contains, how many run at a time, and how long it stays. */
import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { cancelInvoiceExport, writeInvoices } from '../../../activities/finances/invoiceExports.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { beginExport, completeExport } from '../../../models/finances/invoice-exports/writeExport.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { partsOf } from '../../support/documentText.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { anInvoice, aWorld, type Person, type World } from '../../support/world.js';

const storage = aStore();
const stage = apiWorld();
const { as } = stage;
const environment = new MockActivityEnvironment();

const ofOrganization = ({ organizationId }: World, rest = '') =>
  `/api/organizations/${organizationId}/invoice-exports/${rest}`;
const ofChapter = ({ chapterId }: World, rest = '') => `/api/chapters/${chapterId}/invoice-exports/${rest}`;
const write = ({ organizationId }: World, exportId: string) =>
  environment.run(writeInvoices, { organizationId, exportId });
const hide = ({ organizationId }: World, hidden = true) =>
  asOwner(
    `INSERT INTO org_dues_settings (organization_id, officers_see_amounts) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET officers_see_amounts = $2`,
    [organizationId, !hidden],
  );
const owes = (world: World, membershipId: string | null, cents: number) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId, cents });

async function requested(by: Person, path: string, body: object = {}): Promise<string> {
  const answer = await as(by).post(path, body);
  expect([answer.status, answer.body.status, answer.body.download_url]).toEqual([202, 'queued', null]);
  return answer.body.id;
}
/** Follows the download URL like a browser. */
async function fetched(by: Person, address: string): Promise<Buffer> {
  const lead = await fetch(`${stage.api.url}${address}`, {
    headers: { Authorization: `Bearer ${by.token}` },
    redirect: 'manual',
  });
  expect(lead.status).toBe(302);
  return Buffer.from(await (await fetch(lead.headers.get('location') as string)).arrayBuffer());
}
/** The XML of the first and the second sheet. */
async function sheets(by: Person, path: string): Promise<[string, string]> {
  const { body } = await as(by).get(path);
  expect(body).toMatchObject({ status: 'ready', rows_done: body.rows_total });
  const bytes = await fetched(by, body.download_url);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.sha256);
  const parts = await partsOf(bytes);
  return [parts.get('xl/worksheets/sheet1.xml') as string, parts.get('xl/worksheets/sheet2.xml') as string];
}

test('an admin exports all invoices with typed cells, escaped text and the totals of the list', async () => {
  const world = await aWorld();
  const evil = await owes(world, world.member.membershipId, 12_345);
  await asOwner('UPDATE chapter_invoices SET description = $2 WHERE id = $1', [
    evil,
    '=HYPERLINK("http://x","<Dues>")',
  ]);
  await owes(world, null, 100_001);
  const id = await requested(world.admin, ofOrganization(world), { filters: {} });
  expect(await write(world, id)).toBe('ready');
  expect(await write(world, id)).toBe('ready');
  const [sheet, about] = await sheets(world.admin, ofOrganization(world, `${id}/`));
  expect(sheet).toContain('state="frozen"');
  expect(sheet).toContain('<autoFilter ref="A1:P3"/>');
  expect(sheet).toContain('=HYPERLINK(&quot;http://x&quot;,&quot;&lt;Dues&gt;&quot;)</t>');
  expect(sheet).toContain('<v>123.45</v>');
  // One formula per amount column, and no other.
  expect(sheet.match(/<f>/g)).toHaveLength(5);
  const { results } = (await as(world.admin).get(`/api/organizations/${world.organizationId}/invoices/`)).body;
  const due = results.reduce((sum: number, one: { balance_due_cents: number }) => sum + one.balance_due_cents, 0);
  expect(sheet).toContain(`<f>SUMIF(K2:K3,&quot;USD&quot;,P2:P3)</f><v>${(due / 100).toFixed(2)}</v>`);
  expect(about).toContain('As of');
});

test('an export has the requested filters and columns, and invalid ones are refused', async () => {
  const world = await aWorld();
  await owes(world, world.member.membershipId, 500);
  await owes(world, null, 700);
  const body = { filters: { payer_type: 'member', status: 'open' }, columns: ['payer_name', 'total_cents'] };
  const id = await requested(world.officer, ofChapter(world), body);
  await write(world, id);
  const [sheet, about] = await sheets(world.officer, ofChapter(world, `${id}/`));
  expect(sheet.match(/<row /g)).toHaveLength(3);
  expect(sheet).toContain('<v>5.00</v>');
  expect(sheet).not.toContain('7.00');
  expect(about).toContain('payer_type');
  for (const bad of [
    { filters: { status: 'late' } },
    { filters: { chapter: stage.other.chapterId } },
    { columns: [] },
    { columns: ['payer_name', 'payer_name'] },
    { filters: { due_after: '2026-02-01', due_before: '2026-01-31' } },
    { columns: ['notes'] },
    { columns: 'all' },
    { filters: { balance_due_cents: 500 } },
  ])
    expect((await as(world.admin).post(ofOrganization(world), bad)).status).toBe(400);
});

test("an administrator exports one chapter's invoices from the organization's list", async () => {
  const world = await aWorld();
  await owes(world, world.member.membershipId, 500);
  const { chapterId, membershipId } = world.otherOfficer;
  await anInvoice(world, { chapterId, membershipId, cents: 900 });
  const body = { filters: { chapter: world.chapterId }, columns: ['payer_name', 'total_cents'] };
  const id = await requested(world.admin, ofOrganization(world), body);
  await write(world, id);
  const [sheet] = await sheets(world.admin, ofOrganization(world, `${id}/`));
  expect(sheet).toContain('<v>5.00</v>');
  expect(sheet).not.toContain('9.00');
});

test('an officer who sees no amounts exports none and can no longer download an earlier file with amounts', async () => {
  const world = await aWorld();
  await owes(world, world.member.membershipId, 98_765);
  const before = await requested(world.officer, ofChapter(world));
  await write(world, before);
  const { download_url: address } = (await as(world.officer).get(ofChapter(world, `${before}/`))).body;
  expect((await fetched(world.officer, address)).length).toBeGreaterThan(0);
  await hide(world);
  expect((await as(world.officer).get(ofChapter(world, `${before}/`))).body).toMatchObject({
    status: 'ready',
    download_url: null,
  });
  expect((await as(world.officer).get(ofChapter(world))).body.results[0].download_url).toBeNull();
  expect((await as(world.officer).get(address)).status).toBe(404);
  const id = await requested(world.officer, ofChapter(world), { columns: ['payer_name', 'balance_due_cents'] });
  await write(world, id);
  const [sheet] = await sheets(world.officer, ofChapter(world, `${id}/`));
  expect(sheet).not.toMatch(/987\.65|<f>/);
});

test('a download URL works only for its job, unchanged, and for a person who may read the export at that moment', async () => {
  const world = await aWorld();
  const id = await requested(world.officer, ofChapter(world));
  const another = await requested(world.officer, ofChapter(world));
  await write(world, id);
  await write(world, another);
  const { download_url: address } = (await as(world.officer).get(ofChapter(world, `${id}/`))).body;
  expect((await as(world.officer).get(address.replace(id, another))).status).toBe(404);
  expect((await as(world.officer).get(address.replace(/expires=\d+/, 'expires=99999999999'))).status).toBe(404);
  expect((await as(world.officer).get(ofChapter(world, `${id}/file/`))).status).toBe(404);
  expect((await as(world.member).get(address)).status).toBe(403);
  await asOwner("UPDATE memberships SET role = 'member' WHERE id = $1", [world.officer.membershipId]);
  expect((await as(world.officer).get(address)).status).toBe(403);
  expect((await as(world.admin).get(address)).status).toBe(302);
});

test('an organization has at most three exports at a time, also with concurrent requests, until one ends', async () => {
  const world = await aWorld();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 ? as(world.admin).post(ofOrganization(world), {}) : as(world.officer).post(ofChapter(world), {}),
    ),
  );
  const begun = answers.filter(({ status }) => status === 202);
  expect(begun).toHaveLength(3);
  for (const { status, body } of answers.filter((one) => !begun.includes(one)))
    expect([status, body.code]).toEqual([409, 'export_limit']);
  const [{ body: first } = { body: {} }] = begun;
  const path = first.chapter ? ofChapter(world, `${first.id}/`) : ofOrganization(world, `${first.id}/`);
  expect((await as(world.admin).post(`${path}cancel/`)).body.status).toBe('cancelled');
  expect((await as(world.admin).post(`${path}cancel/`)).body.code).toBe('export_over');
  expect(await write(world, first.id)).toBe('cancelled');
  expect((await as(world.admin).post(`${path}retry/`)).body.status).toBe('queued');
  expect((await as(world.admin).post(`${path}retry/`)).body.code).toBe('export_under_way');
  expect((await as(world.admin).post(ofOrganization(world), {})).body.code).toBe('export_limit');
  expect(await write(world, first.id)).toBe('ready');
});

test('an attempt that was killed shows nothing, and the next attempt writes another file', async () => {
  const world = await aWorld();
  const id = await requested(world.admin, ofOrganization(world));
  const begin = () => inTenant(world.organizationId, () => beginExport(id, 1_000));
  const [lost, again] = [await begin(), await begin()];
  expect(lost.work?.file.id).not.toBe(again.work?.file.id);
  expect((await as(world.admin).get(ofOrganization(world, `${id}/`))).body).toMatchObject({
    status: 'running',
    download_url: null,
  });
  expect(await write(world, id)).toBe('ready');
  // The slow first attempt completes too late.
  const facts = { name: 'x.xlsx', media_type: 'x', size_bytes: 1, sha256: '0'.repeat(64) };
  await inTenant(world.organizationId, () => completeExport(id, lost.work?.file.id as string, facts));
  await sheets(world.admin, ofOrganization(world, `${id}/`));
});

test('an export of more invoices than a worksheet can contain fails before it writes a file', async () => {
  const world = await aWorld();
  await owes(world, null, 100);
  const id = await requested(world.admin, ofOrganization(world));
  expect((await inTenant(world.organizationId, () => beginExport(id, 0))).state).toBe('failed');
  expect((await as(world.admin).get(ofOrganization(world, `${id}/`))).body).toMatchObject({
    status: 'failed',
    failure: 'too_many_rows',
  });
});

test('the file of an export is deleted after seven days, and the export can be repeated', async () => {
  const world = await aWorld();
  const id = await requested(world.admin, ofOrganization(world));
  await write(world, id);
  await asOwner("UPDATE invoice_exports SET ended_at = ended_at - interval '8 days' WHERE id = $1", [id]);
  const [file] = storage.objects.keys().filter((key) => key.startsWith(world.organizationId));
  await asOwner('ALTER TABLE stored_files DISABLE TRIGGER stored_files_keep');
  await asOwner("UPDATE stored_files SET kept_at = kept_at - interval '8 days' WHERE organization_id = $1", [
    world.organizationId,
  ]);
  await asOwner('ALTER TABLE stored_files ENABLE TRIGGER stored_files_keep');
  const read = async () => (await as(world.admin).get(ofOrganization(world, `${id}/`))).body;
  expect(await read()).toMatchObject({ status: 'expired', download_url: null });
  await removeNextFiles();
  expect(storage.objects.keys()).not.toContain(file);
  expect(await read()).toMatchObject({ status: 'expired' });
  expect((await as(world.admin).post(ofOrganization(world, `${id}/retry/`))).body.status).toBe('queued');
  await write(world, id);
  expect(await read()).toMatchObject({ status: 'ready' });
});

test('exports of a chapter belong to its officers, and exports of the organization to its admins', async () => {
  const { world, other } = stage;
  const [all, one] = [
    await requested(world.admin, ofOrganization(world)),
    await requested(world.officer, ofChapter(world)),
  ];
  expect((await as(world.officer).post(ofOrganization(world), {})).status).toBe(403);
  expect((await as(world.member).post(ofChapter(world), {})).status).toBe(403);
  expect((await as(world.otherOfficer).get(ofChapter(world))).status).toBe(403);
  expect((await as(world.officer).get(ofChapter(world, `${all}/`))).status).toBe(404);
  expect((await as(world.admin).get(ofOrganization(world, `${one}/`))).status).toBe(404);
  expect((await as(world.regionalAdmin).get(ofChapter(world, `${one}/`))).status).toBe(200);
  await expectNowhere(all, (id) => as(other.admin).get(ofOrganization(other, `${id}/`)));
  await expectNowhere(one, (id) => as(other.officer).post(ofChapter(other, `${id}/cancel/`)));
  await environment.run(cancelInvoiceExport, { organizationId: world.organizationId, exportId: all });
  await environment.run(cancelInvoiceExport, { organizationId: world.organizationId, exportId: all });
  expect((await as(world.admin).get(ofOrganization(world, `${all}/`))).body.status).toBe('cancelled');
});

test('the list of exports takes the same number of statements for one and for several', async () => {
  const world = await aWorld();
  await requested(world.admin, ofOrganization(world));
  const ask = () => as(world.admin).get(ofOrganization(world));
  const one = await countStatements(ask);
  await requested(world.admin, ofOrganization(world));
  expect(await countStatements(ask)).toBe(one);
  expect((await ask()).body).toMatchObject({ count: 2 });
});
