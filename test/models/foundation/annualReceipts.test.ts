/** Annual receipts: what they print, how corrections replace them, and what the database refuses. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishAnnualReceipts, issueNextAnnualReceipts } from '../../../activities/foundation/annualReceipts.js';
import '../../../models/wireAreas.js';
import { letterPdf } from '../../../gateways/documents/letter.js';
import { sequelize } from '../../../models/database/connection.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { changeDonor } from '../../../models/foundation/donors/changeDonor.js';
import { eraseDonor } from '../../../models/foundation/donors/eraseDonor.js';
import { correctAnnualReceiptsOfDonor } from '../../../models/foundation/receipts/correctAnnualReceipts.js';
import { previewAnnualReceipts } from '../../../models/foundation/receipts/previewAnnualReceipts.js';
import { composeReceiptDocument } from '../../../models/foundation/receipts/receiptTexts.js';
import { startAnnualReceipts } from '../../../models/foundation/receipts/startAnnualReceipts.js';
import { documentText } from '../../support/documentText.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aGift, annualReceiptsOf, type Gift, LAST_YEAR, lastYear, move, type ReceiptRow } from '../../support/gifts.js';
import { anOfflineGift } from '../../support/giving.js';
import { findReceiptViolations, receiptInvariants } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aWorld, type World } from '../../support/world.js';

const environment = new MockActivityEnvironment();
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

const giftOf = (details = {}) => aGift(world.organizationId, foundation, { at: lastYear(), ...details });
const within = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

/** Issues all receipts that are due. @returns the id of the run */
async function issueAll(): Promise<string> {
  const { preview_hash } = await within(() => previewAnnualReceipts(LAST_YEAR));
  const runId = await within(() => startAnnualReceipts(LAST_YEAR, preview_hash));
  const input = { organizationId: world.organizationId, runId };
  await environment.run(issueNextAnnualReceipts, { ...input, after: null });
  await environment.run(finishAnnualReceipts, input);
  return runId;
}
const shownBy = ({ number, amount_cents, code, printed }: ReceiptRow) =>
  composeReceiptDocument({ number, amount_cents, code, currency: 'usd', printed: printed as never });
const lastOf = async (gift: Gift) => (await annualReceiptsOf(gift)).at(-1) as ReceiptRow;

test('refunds replace and void the annual receipt in the same transaction, and money that comes back issues another', async () => {
  const gift = await giftOf();
  const other = await giftOf({ email: gift.email, cents: 2_000, at: lastYear('06-01') });
  await issueAll();
  await move(gift, 'returned', 1_000);
  await move(gift, 'returned', 4_000);
  await move(other, 'returned', 2_000);
  await move(gift, 'reinstated', 5_000);
  const receipts = await annualReceiptsOf(gift);
  expect(receipts).toMatchObject([
    { status: 'superseded', amount_cents: 7_000, mail_status: 'replaced' },
    { status: 'superseded', amount_cents: 6_000, replaces: receipts[0]?.id, mail_status: 'replaced' },
    { status: 'void', amount_cents: 2_000, replaces: receipts[1]?.id, mail_status: 'replaced' },
    { status: 'valid', amount_cents: 5_000, replaces: receipts[2]?.id, mail_status: 'waiting' },
  ]);
  const last = receipts[3] as ReceiptRow;
  expect(last.printed).toMatchObject({ replaces_number: receipts[2]?.number });
  expect(shownBy(last).title).toBe(`Corrected annual receipt ${last.number} for ${LAST_YEAR}`);
  expect(shownBy(last).paragraphs.join(' ')).toContain(`This receipt replaces receipt ${receipts[2]?.number}`);
  const [queued] = await asOwner(`SELECT FROM outbox WHERE process = 'donationReceipt' AND input->>'receiptId' = $1`, [
    last.id,
  ]);
  expect(queued).toBeDefined();
});

test('a failed transaction leaves the annual receipt as it was', async () => {
  const gift = await giftOf();
  await issueAll();
  await expect(
    within(async () => {
      await rows("UPDATE donors SET first_name = 'Other' WHERE id = $1", [gift.donorId]);
      await correctAnnualReceiptsOfDonor(gift.donorId);
      throw new Error('planned');
    }),
  ).rejects.toThrow('planned');
  expect(await annualReceiptsOf(gift)).toMatchObject([{ status: 'valid' }]);
});

test('a corrected name replaces the annual receipts of all years, once', async () => {
  const gift = await giftOf();
  await issueAll();
  await asOwner("UPDATE donors SET first_name = 'Corrected' WHERE id = $1", [gift.donorId]);
  for (let time = 0; time < 2; time += 1) await within(() => correctAnnualReceiptsOfDonor(gift.donorId));
  const receipts = await annualReceiptsOf(gift);
  expect(receipts).toMatchObject([{ status: 'superseded' }, { status: 'valid', replaces: receipts[0]?.id }]);
  expect(receipts[1]?.printed).toMatchObject({ donor_name: 'Corrected Reyes' });
});

test('a late gift of the year replaces the annual receipt, and one of another year does not', async () => {
  const gift = await giftOf();
  await issueAll();
  await giftOf({ email: gift.email, at: `${LAST_YEAR - 1}-05-05T12:00:00Z` });
  expect(await annualReceiptsOf(gift)).toHaveLength(1);
  await giftOf({ email: gift.email, cents: 700, at: lastYear('12-01') });
  expect(await annualReceiptsOf(gift)).toMatchObject([
    { status: 'superseded' },
    { status: 'valid', amount_cents: 5_700 },
  ]);
});

test('gifts keep the day, campaign and goods of their own receipts, and goods are described', async () => {
  await asOwner(`UPDATE campaigns SET goods_description = 'A dinner', goods_value_cents = 1500 WHERE id = $1`, [
    foundation.campaignId,
  ]);
  const gift = await giftOf({ at: `${LAST_YEAR}-06-01T03:00:00Z` });
  await asOwner(
    `UPDATE campaigns SET title = 'Autumn', goods_description = NULL, goods_value_cents = NULL WHERE id = $1`,
    [foundation.campaignId],
  );
  await asOwner(`UPDATE foundation_configs SET timezone = 'America/New_York' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await giftOf({ email: gift.email, at: lastYear('07-07') });
  await issueAll();
  const receipt = await lastOf(gift);
  expect(receipt.printed['gifts']).toMatchObject([
    {
      given_on: `${LAST_YEAR}-06-01`,
      campaign: 'Spring appeal',
      goods: { description: 'A dinner', value_cents: 1_500 },
    },
    { campaign: 'Autumn', goods: null },
  ]);
  const text = await documentText(await letterPdf(shownBy(receipt)));
  for (const fact of ['A dinner', '$15.00', 'the other gifts', 'Autumn']) expect(text).toContain(fact);
});

test('a template about one gift is left out, and others are filled', async () => {
  await asOwner('UPDATE foundation_configs SET receipt_template_overrides = $2 WHERE organization_id = $1', [
    world.organizationId,
    { intro: 'Dear {donor_name}, thank you for {amount}.', thanks: 'Given on {date}.' },
  ]);
  const gift = await giftOf({ firstName: '{amount}' });
  await issueAll();
  expect((await lastOf(gift)).printed).toMatchObject({
    intro: 'Dear {amount} Reyes, thank you for $50.00.',
    thanks: null,
  });
});

test('a receipt of many gifts continues over pages, and is the same whenever it is drawn', async () => {
  const gift = await giftOf();
  await issueAll();
  const { printed } = await lastOf(gift);
  const [one] = printed['gifts'] as object[];
  const many = { ...printed, gifts: Array.from({ length: 120 }, () => one) };
  const draw = () =>
    letterPdf(
      composeReceiptDocument({
        number: '1',
        amount_cents: 600_000,
        code: 'x',
        currency: 'usd',
        printed: many as never,
      }),
    );
  const first = await draw();
  expect((await draw()).equals(first)).toBe(true);
  const text = await documentText(first);
  expect(text).toContain('Page 4 of');
  expect(text).toContain('$6,000.00');
});

test('offline gifts are listed, those of donor-advised funds are not, and a late one replaces the receipt', async () => {
  const offline = (method: 'check' | 'donor_advised_fund', day: string) =>
    anOfflineGift(world, foundation, {
      email: 'offline@example.org',
      method,
      received_on: `${LAST_YEAR}-${day}`,
      send_receipt: false,
    });
  await offline('donor_advised_fund', '02-02');
  expect((await within(() => previewAnnualReceipts(LAST_YEAR))).totals.receipts).toBe(0);
  const donationId = await offline('check', '12-31');
  await issueAll();
  const [donor] = await asOwner<{ donor_id: string }>('SELECT donor_id FROM donations WHERE id = $1', [donationId]);
  const gift = { donorId: donor?.donor_id as string };
  await offline('donor_advised_fund', '03-03');
  await offline('check', '04-04');
  const [first, second] = (await annualReceiptsOf(gift)) as [ReceiptRow, ReceiptRow];
  expect([first, second]).toMatchObject([
    { status: 'superseded', amount_cents: 10_000 },
    { status: 'valid', amount_cents: 20_000 },
  ]);
  expect(second.printed['gifts']).toMatchObject([
    { given_on: `${LAST_YEAR}-04-04`, campaign: null, fund: 'General fund', method: 'check' },
    { given_on: `${LAST_YEAR}-12-31` },
  ]);
  expect(await documentText(await letterPdf(shownBy(second)))).toContain('General fund');
});

test('an erased donor gets no new receipt, and a refund keeps the name of the issued one', async () => {
  const [issued, due] = [await giftOf(), await giftOf()];
  await asOwner(`UPDATE donors SET erased_at = now(), email = NULL, first_name = 'Erased' WHERE id = $1`, [
    due.donorId,
  ]);
  await issueAll();
  expect(await annualReceiptsOf(due)).toEqual([]);
  await within(() => eraseDonor(issued.donorId));
  await move(issued, 'returned', 1_000);
  expect(await annualReceiptsOf(issued)).toMatchObject([
    { status: 'superseded' },
    { status: 'valid', amount_cents: 4_000, printed: { donor_name: 'Dana Reyes' } },
  ]);
});

test('an admin who corrects a name replaces the annual receipt once, after that of the gift', async () => {
  const gift = await giftOf();
  await giftOf({ email: gift.email, at: lastYear('06-01') });
  await issueAll();
  await within(() => changeDonor(gift.donorId, { first_name: 'Augusta' }));
  expect(await annualReceiptsOf(gift)).toMatchObject([
    { status: 'superseded' },
    { status: 'valid', printed: { donor_name: 'Augusta Reyes' } },
  ]);
});

test.each([
  ['2026-01-14', null],
  ['2026-01-15', 2025],
  ['2026-12-31', 2025],
  ['2027-01-01', null],
])('on %s the Schedule issues receipts of %s', async (day, year) => {
  expect(await asOwner('SELECT app.annual_receipt_year($1) AS year', [day])).toEqual([{ year }]);
});

test('the invariants find a wrong amount, list, line and count of annual receipts', async () => {
  const gift = await giftOf();
  const runId = await issueAll();
  await move(gift, 'returned', 1_000);
  const [first, second] = (await annualReceiptsOf(gift)) as [ReceiptRow, ReceiptRow];
  const planted: [table: string, text: string, undo: string, id: string][] = [
    ['tax_receipts', 'amount_cents = 5', 'amount_cents = 4000', second.id],
    ['tax_receipts', 'replaces = NULL', `replaces = '${first.id}'`, second.id],
    ['annual_receipt_runs', 'issued_cents = 1', 'issued_cents = 5000', runId],
  ];
  const found: string[] = [];
  for (const [table, text, undo, id] of planted) {
    await asOwner(`UPDATE ${table} SET ${text} WHERE id = $1`, [id]);
    found.push(...(await findReceiptViolations()));
    await asOwner(`UPDATE ${table} SET ${undo} WHERE id = $1`, [id]);
  }
  const ofYears = receiptInvariants().filter(({ name }) => name.includes('annual'));
  expect(new Set(found)).toEqual(new Set(ofYears.map(({ name }) => name)));
});

test('the runtime role can change neither the plan of a run nor an ended run', async () => {
  await giftOf();
  const runId = await issueAll();
  const attempt = (text: string) => within(() => rows(text, [runId]));
  await expect(attempt('UPDATE annual_receipt_items SET amount_cents = 1 WHERE run_id = $1')).rejects.toThrow(
    'permission denied',
  );
  for (const change of ['planned_cents = 1', "preview_hash = 'x'", 'tax_year = 2000'])
    await expect(attempt(`UPDATE annual_receipt_runs SET ${change} WHERE id = $1`)).rejects.toThrow(
      'permission denied',
    );
  await expect(
    attempt("UPDATE annual_receipt_runs SET status = 'running', ended_at = NULL WHERE id = $1"),
  ).rejects.toThrow('cannot be changed');
});
