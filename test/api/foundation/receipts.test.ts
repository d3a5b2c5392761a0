import { config } from '../../../config.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { documentText } from '../../support/documentText.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aGift, type Gift, move, type ReceiptRow, receiptsOf } from '../../support/gifts.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const { api, world, other, as } = stage;

let foundation: Foundation;
let gift: Gift;
let receipt: ReceiptRow;

const path = (id = '', step = '') => `/api/foundation/receipts/${id && `${id}/`}${step && `${step}/`}`;
const admin = () => as(foundation.admin);
const editor = () => as(foundation.editor);
const mailed = (id: string) =>
  asOwner("UPDATE tax_receipts SET mail_status = 'mailed', mailed_at = now() WHERE id = $1", [id]);

beforeAll(async () => {
  foundation = await aFoundation(world);
  gift = await aGift(world.organizationId, foundation, { at: '2026-03-04T12:00:00Z' });
  [receipt] = (await receiptsOf(gift)) as [ReceiptRow];
});

test('editors list receipts, the newest first, and filter them by year, status, donor and donation', async () => {
  const old = await aGift(world.organizationId, foundation, { at: '2024-03-04T12:00:00Z' });
  await move(old, 'returned', 5_000);
  const { status, body } = await editor().get(path());
  expect([status, body.count]).toEqual([200, 2]);
  expect(body.results[1]).toEqual({
    id: receipt.id,
    donor: gift.donorId,
    kind: 'gift',
    donation: gift.donationId,
    annual_run: null,
    tax_year: 2026,
    number: '2026-000001',
    amount_cents: 5_000,
    currency: 'usd',
    status: 'valid',
    replaces: null,
    issued_at: expect.any(String),
    ended_at: null,
    mail_status: 'waiting',
    mailed_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    pdf_url: `${config.backendUrl}${path(receipt.id, 'pdf')}`,
  });
  const idsWith = async (query: string) =>
    (await editor().get(`${path()}?${query}`)).body.results.map(({ donation }: { donation: string }) => donation);
  expect(await idsWith('year=2024')).toEqual([old.donationId]);
  expect(await idsWith('status=void')).toEqual([old.donationId]);
  expect(await idsWith(`donor=${gift.donorId}`)).toEqual([gift.donationId]);
  expect(await idsWith(`donation=${gift.donationId}&year=2024`)).toEqual([]);
  for (const [query, field] of [
    ['year=twenty', 'year'],
    ['status=lost', 'status'],
    ['donor=x', 'donor'],
    ['page=0', 'page'],
    ['campaign=x', 'campaign'],
  ] as const)
    expect(await editor().get(`${path()}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: { [field]: expect.any(Array) } },
    });
  const few = await countStatements(() => editor().get(path()));
  for (let n = 0; n < 3; n += 1) await aGift(world.organizationId, foundation);
  expect(await countStatements(() => editor().get(path()))).toBe(few);
});

test('only people of the foundation read receipts, and only its admins mail them again', async () => {
  for (const address of [path(), path(receipt.id), path(receipt.id, 'pdf')]) {
    expect((await editor().get(address)).status).toBe(200);
    expect((await admin().get(address)).status).toBe(200);
    for (const someone of [world.admin, world.officer, world.member])
      expect(await as(someone).get(address)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await stage.nobody.get(address)).status).toBe(401);
  }
  for (const someone of [foundation.editor, world.admin, world.member])
    expect((await as(someone).post(path(receipt.id, 'resend'))).status).toBe(403);
  const foreign = await aFoundation(other);
  const [theirs] = (await receiptsOf(await aGift(other.organizationId, foreign))) as [ReceiptRow];
  await expectNowhere(theirs.id, (id) => admin().get(path(id)));
  await expectNowhere(theirs.id, (id) => admin().get(path(id, 'pdf')));
  await expectNowhere(theirs.id, (id) => admin().post(path(id, 'resend')));
});

test('the PDF has the facts of the receipt', async () => {
  const response = await fetch(`${api.url}${path(receipt.id, 'pdf')}`, {
    headers: { Authorization: `Bearer ${foundation.editor.token}` },
  });
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
    200,
    'application/pdf',
    'attachment; filename="receipt-2026-000001.pdf"',
  ]);
  const text = await documentText(Buffer.from(await response.arrayBuffer()));
  for (const fact of ['2026-000001', 'Dana Reyes', 'Alpha Foundation, Inc.', '12-3456789', 'March 4, 2026', '$50.00'])
    expect(text).toContain(fact);
});

test('a receipt is mailed again three times a day at most, while it is valid', async () => {
  const given = await aGift(world.organizationId, foundation);
  const [{ id }] = (await receiptsOf(given)) as [ReceiptRow];
  const resend = () => admin().post(path(id, 'resend'));
  expect(await resend()).toMatchObject({ status: 409, body: { code: 'receipt_mail_waiting' } });
  for (let count = 2; count <= 4; count += 1) {
    await mailed(id);
    expect(await resend()).toMatchObject({ status: 200, body: { id, mail_status: 'waiting' } });
    expect((await receiptsOf(given))[0]?.mail_count).toBe(count);
  }
  await mailed(id);
  expect(await resend()).toMatchObject({ status: 429, body: { code: 'throttled' } });
  expect((await receiptsOf(given))[0]).toMatchObject({ mail_status: 'mailed', mail_count: 4 });
  const log = await asOwner(
    "SELECT actor_user_id FROM audit_log WHERE subject_id = $1 AND action = 'tax_receipt.resent'",
    [id],
  );
  expect(log).toEqual(Array.from({ length: 3 }, () => ({ actor_user_id: foundation.admin.userId })));
  await move(given, 'returned', 5_000);
  expect(await resend()).toMatchObject({ status: 409, body: { code: 'receipt_not_valid' } });
});

describe('the verification page', () => {
  const page = async (code: string) => {
    const response = await fetch(`${api.url}/receipts/${code}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('shows number, days, amount and status, and no names', async () => {
    const { status, headers, text } = await page(receipt.code);
    expect(status).toBe(200);
    for (const fact of ['2026-000001', 'March 4, 2026', '$50.00', 'valid']) expect(text).toContain(fact);
    for (const secret of ['Dana', 'Reyes', 'Alpha', 'Spring', gift.email]) expect(text).not.toContain(secret);
    expect(text).not.toContain('<script');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect([headers.get('x-robots-tag'), headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'noindex',
      'no-store',
      'no-referrer',
    ]);
  });

  test('says which receipt replaces a superseded one, and that a void one is void', async () => {
    const given = await aGift(world.organizationId, foundation);
    await move(given, 'returned', 1_000);
    await move(given, 'returned', 4_000);
    const [first, second] = (await receiptsOf(given)) as [ReceiptRow, ReceiptRow];
    const superseded = await page(first.code);
    expect(superseded.text).toContain('superseded');
    expect(superseded.text).toContain(second.number);
    const voided = await page(second.code);
    expect(voided.text).toContain('void');
    expect(voided.text).not.toContain('Replaced by');
  });

  test('gives one neutral page for unknown codes and suspended organizations', async () => {
    const unknown = await page('A'.repeat(22));
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const [theirs] = await asOwner<{ code: string }>('SELECT code FROM tax_receipts WHERE organization_id = $1', [
      other.organizationId,
    ]);
    expect((await page(theirs?.code as string)).status).toBe(200);
    await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [other.organizationId]);
    for (const code of [
      theirs?.code as string,
      'x',
      'x'.repeat(300),
      encodeURIComponent("' OR 1=1"),
      `${receipt.code}A`,
    ]) {
      const { status, text } = await page(code);
      expect([status, text]).toEqual([404, unknown.text]);
    }
  });
});
