/** Receipts follow the entries of their gift; their numbers have no gaps. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { correctReceipts } from '../../../models/foundation/receipts/correctReceipts.js';
import { composeReceiptDocument, fillPlaceholders } from '../../../models/foundation/receipts/receiptTexts.js';
import { letterPdf } from '../../../gateways/documents/letter.js';
import { documentText } from '../../support/documentText.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aChargedGift, aGift, type Gift, move, type ReceiptRow, receiptsOf } from '../../support/gifts.js';
import { findReceiptViolations, receiptInvariants } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aWorld, type World } from '../../support/world.js';

let world: World;
let foundation: Foundation;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterEach(async () => expect(await findReceiptViolations()).toEqual([]));
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const giftOf = (details = {}) => aGift(world.organizationId, foundation, details);
const waitingMails = () =>
  asOwner<{ workflow_id: string }>(
    `SELECT workflow_id FROM outbox WHERE organization_id = $1 AND process = 'donationReceipt' ORDER BY id`,
    [world.organizationId],
  );
const shownBy = ({ number, amount_cents, code, printed }: ReceiptRow) =>
  composeReceiptDocument({ number, amount_cents, code, currency: 'usd', printed: printed as never });

test('a completed gift gets one receipt, which is mailed, and a second call changes nothing', async () => {
  const gift = await giftOf({ at: '2026-03-04T12:00:00Z' });
  await inTenant(world.organizationId, () => correctReceipts(gift.donationId));
  const receipts = await receiptsOf(gift);
  expect(receipts).toMatchObject([{ number: '2026-000001', status: 'valid', amount_cents: 5_000, replaces: null }]);
  expect(receipts[0]?.printed).toMatchObject({
    legal_name: 'Alpha Foundation, Inc.',
    ein: '12-3456789',
    mailing_address: '1 Main Street, Springfield',
    donor_name: 'Dana Reyes',
    campaign: 'Spring appeal',
    given_on: '2026-03-04',
    charged_cents: 5_000,
    returned_cents: 0,
    goods: null,
  });
  expect(await waitingMails()).toEqual([{ workflow_id: `donation-receipt/${receipts[0]?.id}` }]);
});

test('a gift that is not completed gets no receipt', async () => {
  const gift = await aChargedGift(world.organizationId, foundation);
  await inTenant(world.organizationId, () => correctReceipts(gift.donationId));
  expect(await receiptsOf(gift)).toEqual([]);
});

test('a partial refund supersedes the receipt, and money that comes back supersedes it again', async () => {
  const gift = await giftOf({ at: '2026-03-04T12:00:00Z' });
  await move(gift, 'returned', 2_000);
  await move(gift, 'reinstated', 500);
  const [first, second, third] = (await receiptsOf(gift)) as [ReceiptRow, ReceiptRow, ReceiptRow];
  expect([first, second, third]).toMatchObject([
    { number: '2026-000001', status: 'superseded', amount_cents: 5_000, mail_status: 'replaced' },
    { number: '2026-000002', status: 'superseded', amount_cents: 3_000, replaces: first.id },
    { number: '2026-000003', status: 'valid', amount_cents: 3_500, replaces: second.id, mail_status: 'waiting' },
  ]);
  expect(third.printed).toMatchObject({ replaces_number: '2026-000002', charged_cents: 5_000, returned_cents: 1_500 });
  expect(shownBy(third).paragraphs.join(' ')).toContain('This receipt replaces receipt 2026-000002');
  expect(await waitingMails()).toHaveLength(3);
});

test('a full refund voids the receipt, and money that comes back later issues another one that names it', async () => {
  const gift = await giftOf({ at: '2026-03-04T12:00:00Z' });
  await move(gift, 'returned', 5_000);
  expect(await receiptsOf(gift)).toMatchObject([{ status: 'void', mail_status: 'replaced' }]);
  expect(await waitingMails()).toHaveLength(1);
  await move(gift, 'reinstated', 5_000);
  const [first, second] = (await receiptsOf(gift)) as [ReceiptRow, ReceiptRow];
  expect([first.status, second.status, second.replaces, second.amount_cents]).toEqual([
    'void',
    'valid',
    first.id,
    5_000,
  ]);
  expect(second.printed).toMatchObject({ replaces_number: first.number });
});

test('a correction keeps the day, the goods and the campaign of the gift, and prints the current address', async () => {
  await asOwner(`UPDATE campaigns SET goods_description = 'A dinner', goods_value_cents = 1500 WHERE id = $1`, [
    foundation.campaignId,
  ]);
  const gift = await giftOf({ at: '2026-01-01T03:00:00Z' });
  await asOwner(
    `UPDATE campaigns SET title = 'Autumn', goods_description = NULL, goods_value_cents = NULL WHERE id = $1`,
    [foundation.campaignId],
  );
  await asOwner(`UPDATE foundation_configs SET timezone = 'America/New_York', mailing_address = '2 Oak Avenue'`);
  await move(gift, 'returned', 1_000);
  const [, second] = await receiptsOf(gift);
  expect(second?.number).toBe('2026-000002');
  expect(second?.printed).toMatchObject({
    given_on: '2026-01-01',
    campaign: 'Spring appeal',
    goods: { description: 'A dinner', value_cents: 1_500 },
    mailing_address: '2 Oak Avenue',
  });
});

test.each([
  ['UTC', '2025-12-31T23:59:59Z', 2025, '2026-01-01T00:00:00Z', 2026],
  ['America/New_York', '2026-01-01T04:59:59Z', 2025, '2026-01-01T05:00:00Z', 2026],
  ['Pacific/Kiritimati', '2025-12-31T09:59:59Z', 2025, '2025-12-31T10:00:00Z', 2026],
  ['Pacific/Pago_Pago', '2026-01-01T10:59:59Z', 2025, '2026-01-01T11:00:00Z', 2026],
  ['Asia/Kathmandu', '2025-12-31T18:14:59Z', 2025, '2025-12-31T18:15:00Z', 2026],
])('in %s the year ends at local midnight', async (timezone, before, oldYear, after, newYear) => {
  await asOwner('UPDATE foundation_configs SET timezone = $2 WHERE organization_id = $1', [
    world.organizationId,
    timezone,
  ]);
  const [old] = await receiptsOf(await giftOf({ at: before }));
  const [young] = await receiptsOf(await giftOf({ at: after }));
  expect([old?.number, old?.printed['given_on']]).toEqual([`${oldYear}-000001`, `${oldYear}-12-31`]);
  expect([young?.number, young?.printed['given_on']]).toEqual([`${newYear}-000001`, `${newYear}-01-01`]);
});

test('numbers run from 1 without gaps though transactions at the same moment fail', async () => {
  const at = '2026-06-01T12:00:00Z';
  const gifts: Gift[] = [];
  for (let n = 0; n < 24; n += 1) gifts.push(await aChargedGift(world.organizationId, foundation));
  const complete = ({ organizationId, donationId, captureId }: Gift, fails: boolean) =>
    inTenant(organizationId, async () => {
      await rows(
        `INSERT INTO donation_entries (organization_id, donation_id, capture_id, kind, amount_cents, moved_at)
         VALUES ($1, $2, $3, 'received', 5000, $4)`,
        [organizationId, donationId, captureId, at],
      );
      await correctReceipts(donationId);
      if (fails) throw new Error('planned');
    });
  const ends = await Promise.allSettled(gifts.map((gift, n) => complete(gift, n % 3 === 0)));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  const numbers = () =>
    asOwner<{ sequence: number; last: number }>(
      `SELECT r.sequence, c.last_number AS last FROM tax_receipts r
         JOIN receipt_counters c USING (organization_id, tax_year) WHERE organization_id = $1 ORDER BY sequence`,
      [world.organizationId],
    );
  expect((await numbers()).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
  await Promise.all(gifts.map((gift, n) => (n % 3 === 0 ? complete(gift, false) : move(gift, 'returned', 100))));
  const seen = await numbers();
  expect(seen.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  expect(seen[0]?.last).toBe(40);
});

test('the invariants find a gap, a wrong amount, a wrong year, a wrong name and a broken line', async () => {
  const gift = await giftOf({ at: '2026-03-04T12:00:00Z' });
  await move(gift, 'returned', 1_000);
  const [first, second] = (await receiptsOf(gift)) as [ReceiptRow, ReceiptRow];
  const planted: [text: string, undo: string, id: string][] = [
    ['sequence = 9', 'sequence = 2', second.id],
    ['amount_cents = 5', 'amount_cents = 4000', second.id],
    ['tax_year = 2025, sequence = 1', 'tax_year = 2026, sequence = 2', second.id],
    ['replaces = NULL', `replaces = '${first.id}'`, second.id],
  ];
  const found: string[] = [];
  for (const [text, undo, id] of planted) {
    await asOwner(`UPDATE tax_receipts SET ${text} WHERE id = $1`, [id]);
    found.push(...(await findReceiptViolations()));
    await asOwner(`UPDATE tax_receipts SET ${undo} WHERE id = $1`, [id]);
  }
  const rename = (name: string, at: string) =>
    asOwner(`UPDATE donors SET first_name = $2, name_corrected_at = ${at} WHERE id = $1`, [gift.donorId, name]);
  await rename('Augusta', 'now()');
  found.push(...(await findReceiptViolations()));
  await rename('Dana', 'NULL');
  const ofGifts = receiptInvariants().filter(({ name }) => !name.includes('annual'));
  expect(new Set(found)).toEqual(new Set(ofGifts.map(({ name }) => name)));
});

test('the runtime role can neither change what a receipt records nor skip a number', async () => {
  const gift = await giftOf();
  const [receipt] = await receiptsOf(gift);
  const attempt = (text: string) => inTenant(world.organizationId, () => rows(text, [receipt?.id]));
  for (const change of ['amount_cents = 1', "printed = '{}'", 'sequence = 9', "code = 'x'"])
    await expect(attempt(`UPDATE tax_receipts SET ${change} WHERE id = $1`)).rejects.toThrow('permission denied');
  await expect(attempt('DELETE FROM tax_receipts WHERE id = $1')).rejects.toThrow('permission denied');
  await move(gift, 'returned', 5_000);
  await expect(attempt("UPDATE tax_receipts SET status = 'valid', ended_at = NULL WHERE id = $1")).rejects.toThrow(
    'cannot be changed',
  );
  await expect(
    inTenant(world.organizationId, () => rows('UPDATE receipt_counters SET last_number = last_number + 2')),
  ).rejects.toThrow('cannot be changed');
});

test('the texts of a foundation stand beside the facts of the receipt and replace none of them', async () => {
  await asOwner('UPDATE foundation_configs SET receipt_template_overrides = $2 WHERE organization_id = $1', [
    world.organizationId,
    { intro: 'Dear {donor_name}, {amount} came on {date} for {campaign}.', thanks: 'Yours' },
  ]);
  const gift = await giftOf({ at: '2026-03-04T12:00:00Z', firstName: '{amount}', lastName: '<b>&' });
  const [receipt] = (await receiptsOf(gift)) as [ReceiptRow];
  expect(receipt.printed['intro']).toBe('Dear {amount} <b>&, $50.00 came on March 4, 2026 for Spring appeal.');
  const text = await documentText(await letterPdf(shownBy(receipt)));
  for (const fact of [
    'Alpha Foundation, Inc.',
    '12-3456789',
    '1 Main Street, Springfield',
    '{amount} <b>&',
    'March 4, 2026',
    '$50.00',
    'No goods or services were provided in exchange for this gift.',
    `/receipts/${receipt.code}`,
  ])
    expect(text).toContain(fact);
});

test('a receipt with goods prints their description and value', async () => {
  await asOwner(`UPDATE campaigns SET goods_description = 'A dinner', goods_value_cents = 1500 WHERE id = $1`, [
    foundation.campaignId,
  ]);
  const [receipt] = (await receiptsOf(await giftOf())) as [ReceiptRow];
  const text = await documentText(await letterPdf(shownBy(receipt)));
  expect(text).toContain('A dinner');
  expect(text).toContain('$15.00');
  expect(text).not.toContain('No goods or services');
});

test('the PDF of a receipt is the same whenever it is drawn', async () => {
  const gift = await giftOf();
  const draw = async () => letterPdf(shownBy(((await receiptsOf(gift)) as [ReceiptRow])[0]));
  const first = await draw();
  await asOwner(`UPDATE foundation_configs SET legal_name = 'Other', ein = '99-9999999', timezone = 'Asia/Tokyo'`);
  expect((await draw()).equals(first)).toBe(true);
});

test('placeholders are filled once', () => {
  const facts = { donor_name: '{campaign}', campaign: '{date}', given_on: '2026-03-04', cents: 100, currency: 'usd' };
  expect(fillPlaceholders('{donor_name} {campaign} {amount} {other} {constructor}', facts)).toBe(
    '{campaign} {date} $1.00 {other} {constructor}',
  );
});
