/**
 * Long receipts and statements: a worker renders them while the request waits, each file is served once, and they say the same as
 * short ones.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { extractText, getDocumentProxy } from 'unpdf';
import { drawStoredDocument } from '../../activities/finances/drawDocument.js';
import { removeNextFiles } from '../../activities/organizations/removeFiles.js';
import { config } from '../../config.js';
import { accountPdf } from '../../gateways/documents/account.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { DocumentRequest } from '../../models/finances/documents/DrawnDocument.js';
import { readDocument } from '../../models/finances/documents/readDocument.js';
import { requestDocument } from '../../models/finances/documents/requestDocument.js';
import { drawDocument } from '../../workflows/contracts/index.js';
import { aStore } from '../gateways/storage.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { anInvoice, aWorld, type Person, type World } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
queueWorkers(['bulk']);
const { as } = stage;
const environment = new MockActivityEnvironment();
const patience = config.PAY_WAIT_SECONDS;
afterEach(() => {
  config.PAY_WAIT_SECONDS = patience;
  storage.fail(503, 0);
});

const OWN = '/api/billing/me/statement/';
const ask = (by: Person, path: string) =>
  fetch(`${stage.api.url}${path}`, { headers: { Authorization: `Bearer ${by.token}` } });

/** The text that a reader sees, without the time at which it was read. */
async function textOf(bytes: ArrayBuffer | Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  return text.join('\n').replace(/As of [\d :-]+ UTC/, 'As of then');
}

async function read(by: Person, path: string): Promise<string> {
  const response = await ask(by, path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return textOf(await response.arrayBuffer());
}

/** Renders the document in this process. */
const drawnHere = async ({ organizationId }: World, request: DocumentRequest): Promise<string> =>
  textOf(await accountPdf(await inTenant(organizationId, () => readDocument(request))));

/** An invoice with this many lines of one cent beside its first line. */
async function longInvoice(world: World, membershipId: string | null, lines: number): Promise<string> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId, cents: 54_321 });
  await asOwner(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents, is_fee)
     SELECT $1, $2, $3, 'Fee ' || n, 1, 1, true FROM generate_series(1, $4) n`,
    [world.organizationId, id, membershipId, lines],
  );
  return id;
}

const drawings = ({ organizationId }: World) =>
  asOwner<{ id: string; file_id: string | null }>(
    'SELECT id, file_id FROM drawn_documents WHERE organization_id = $1 ORDER BY created_at',
    [organizationId],
  );
const filesOf = ({ organizationId }: World) =>
  asOwner<{ status: string }>(
    `SELECT status FROM stored_files WHERE organization_id = $1 AND purpose = 'drawn_document' ORDER BY created_at`,
    [organizationId],
  );
const workflowOf = ({ organizationId }: World, documentId: string): string =>
  drawDocument.workflowId({ organizationId, documentId });
const today = () => new Date().toISOString().slice(0, 10);

test('a document of five hundred lines is rendered by the API and a longer one by the worker, both with the same text', async () => {
  const world = await aWorld();
  const { membershipId: id } = world.member;
  const invoice = await longInvoice(world, id, 499);
  const whole = { of: 'member', id, from: null, to: today(), amounts: true } as const;
  expect(await read(world.member, OWN)).toBe(await drawnHere(world, whole));
  expect(await drawings(world)).toEqual([]);

  await anInvoice(world, { chapterId: world.chapterId, membershipId: id, cents: 77 });
  const own = await read(world.member, OWN);
  expect(own).toBe(await drawnHere(world, whole));
  expect(own).toContain('Balance at the end: USD 548.97');
  const [drawn] = await drawings(world);
  expect(
    await temporal()
      .workflow.getHandle(workflowOf(world, drawn?.id as string))
      .result(),
  ).toBe('drawn');
  await recordHistory(workflowOf(world, drawn?.id as string), 'drawDocument-drawn');

  await asOwner(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents, is_fee)
     VALUES ($1, $2, $3, 'The last', 1, 1, true)`,
    [world.organizationId, invoice, id],
  );
  const receipt = { of: 'invoice', id: invoice, amounts: true, notes: true } as const;
  expect(await read(world.member, `/api/invoices/${invoice}/receipt/`)).toBe(await drawnHere(world, receipt));
  expect(await drawings(world)).toHaveLength(2);
});

test('a document that was served is deleted from storage, and rendered again when it is requested again', async () => {
  const world = await aWorld();
  await longInvoice(world, world.member.membershipId, 600);
  const before = storage.objects.keys();
  await read(world.member, OWN);
  await eventually(
    () => filesOf(world),
    ([file]) => file?.status === 'removing',
  );
  await asOwner(`UPDATE stored_files SET created_at = now() - interval '1 hour' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await read(world.member, OWN);
  while (await removeNextFiles());
  expect((await drawings(world)).length).toBe(1);
  await eventually(
    () => filesOf(world),
    (files) => files.length === 1 && files[0]?.status === 'removing',
  );
  expect(storage.objects.keys().length).toBe(before.length + 1);
});

test('ten requests for one slow document get 202 with its address and share one rendering, which is served later', async () => {
  const world = await aWorld();
  await longInvoice(world, null, 600);
  const path = `/api/chapters/${world.chapterId}/finances/statement/?from=2020-01-01`;
  storage.fail(503, 6);
  config.PAY_WAIT_SECONDS = 1;
  const early = await Promise.all(Array.from({ length: 10 }, () => ask(world.officer, path)));
  for (const answer of early)
    expect([answer.status, answer.headers.get('location'), answer.headers.get('retry-after')]).toEqual([
      202,
      path,
      '2',
    ]);
  const [drawing, ...others] = await drawings(world);
  expect(others).toEqual([]);
  config.PAY_WAIT_SECONDS = 30;
  const request = { of: 'chapter', id: world.chapterId, from: '2020-01-01', to: today(), amounts: true } as const;
  expect(await read(world.officer, early[0]?.headers.get('location') as string)).toBe(await drawnHere(world, request));
  await recordHistory(workflowOf(world, drawing?.id as string), 'drawDocument-by-another-try');
});

test('the rendering step run twice stores one file, and a person has at most three documents in progress', async () => {
  const world = await aWorld();
  const { organizationId, member } = world;
  await longInvoice(world, member.membershipId, 20);
  const request = { of: 'member', id: member.membershipId, from: null, to: today(), amounts: true } as const;
  const origin = { userId: member.userId, requestId: null, ipAddress: null };
  const { documentId } = await inTenant(organizationId, () => requestDocument(request), { origin });
  const draw = () => environment.run(drawStoredDocument, { organizationId, documentId });
  await Promise.all([draw(), draw()]);
  await draw();
  expect(await filesOf(world)).toEqual([{ status: 'kept' }]);
  expect(await inTenant(organizationId, () => requestDocument(request), { origin })).toMatchObject({ documentId });
  // Another request of the same person is another document, and three at a time are enough.
  for (const from of ['2020-01-01', '2020-01-02', '2020-01-03'])
    await inTenant(organizationId, () => requestDocument({ ...request, from }), { origin });
  await expect(
    inTenant(organizationId, () => requestDocument({ ...request, from: '2020-01-04' }), { origin }),
  ).rejects.toMatchObject({ code: 'documents_under_way' });
});

test('storage that does not answer delays only the documents of its own organization', async () => {
  const [slow, other] = [await aWorld(), await aWorld()];
  const requestStatement = async ({ organizationId, member }: World) => {
    const request = { of: 'member', id: member.membershipId, from: null, to: today(), amounts: true } as const;
    const origin = { userId: member.userId, requestId: null, ipAddress: null };
    const { documentId } = await inTenant(organizationId, () => requestDocument(request), { origin });
    return { organizationId, documentId };
  };
  storage.fail('held', 1, 'PutObject');
  const waiting = environment.run(drawStoredDocument, await requestStatement(slow));
  await eventually(
    async () => storage.objects.keys(),
    (keys) => keys.some((key) => key.startsWith(slow.organizationId)),
  );
  await environment.run(drawStoredDocument, await requestStatement(other));
  expect(await filesOf(other)).toEqual([{ status: 'kept' }]);
  expect(await filesOf(slow)).toEqual([{ status: 'uploading' }]);
  await waiting;
  expect(await filesOf(slow)).toEqual([{ status: 'kept' }]);
});

test('a too long document is refused, and a long one hides amounts from officers who may not see them', async () => {
  const world = await aWorld();
  const invoice = await longInvoice(world, world.member.membershipId, 600);
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const text = await read(world.officer, `/api/invoices/${invoice}/receipt/`);
  expect(text).toContain('Fee');
  expect(text.replace(/[\da-f]{8}-[\da-f-]{27}/g, '')).not.toMatch(/USD|543\.21/);
  const [drawn] = await drawings(world);
  for (const by of [world.admin, world.officer, world.member])
    expect(await as(by).get(`/api/files/${drawn?.file_id}/`)).toMatchObject({ status: 404 });
  expect((await ask(stage.other.admin, `/api/invoices/${invoice}/receipt/`)).status).toBe(404);

  await longInvoice(world, world.member.membershipId, 5_000);
  const long = await as(world.member).get(OWN);
  expect(long).toMatchObject({ status: 400, body: { errors: { from: [expect.stringContaining('5000')] } } });
  const [longest] = await asOwner<{ id: string }>(
    'SELECT id FROM chapter_invoices WHERE organization_id = $1 ORDER BY total_cents DESC LIMIT 1',
    [world.organizationId],
  );
  expect(await as(world.member).get(`/api/invoices/${longest?.id}/receipt/`)).toMatchObject({
    status: 400,
    body: { code: 'document_too_long' },
  });
});
