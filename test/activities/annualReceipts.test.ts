/** Mails with annual receipts: a page at a time, also when the server refuses, is away, or a worker died. */
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  cancelAnnualReceipts,
  finishAnnualReceipts,
  issueNextAnnualReceipts,
  mailAnnualReceipts,
  startNextAnnualReceipts,
} from '../../activities/foundation/annualReceipts.js';
import { mailDonationReceipt } from '../../activities/foundation/mailReceipt.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { previewAnnualReceipts } from '../../models/foundation/receipts/previewAnnualReceipts.js';
import { startAnnualReceipts } from '../../models/foundation/receipts/startAnnualReceipts.js';
import '../../models/wireAreas.js';
import { documentText } from '../support/documentText.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, annualReceiptsOf, type Gift, LAST_YEAR, lastYear, move, type ReceiptRow } from '../support/gifts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { withServer } from '../support/rudeMailServer.js';
import { aWorld, type World } from '../support/world.js';

const environment = new MockActivityEnvironment();
let catcher: Catcher;
let world: World;
let foundation: Foundation;

beforeAll(async () => {
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0 });
  Object.assign(config, { SMTP_URL: catcher.smtpUrl });
});
beforeEach(async () => {
  catcher.mails.clear();
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterAll(async () => {
  closeMail();
  await catcher.close();
  await closeOwner();
  await sequelize.close();
});

const giftOf = (details = {}) => aGift(world.organizationId, foundation, { at: lastYear(), ...details });
const within = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const lastOf = async (gift: Gift) => (await annualReceiptsOf(gift)).at(-1) as ReceiptRow;
const annualMails = () => catcher.mails.list().filter(({ subject }) => subject.includes('nnual receipt'));
const handedOver = async () =>
  (
    await asOwner<{ id: string }>(
      `SELECT DISTINCT o.input->>'receiptId' AS id FROM outbox o
         JOIN tax_receipts r ON r.id = (o.input->>'receiptId')::uuid AND r.donation_id IS NULL
        WHERE o.organization_id = $1 AND o.process = 'donationReceipt'`,
      [world.organizationId],
    )
  ).map(({ id }) => id);

/** Issues the first page of a run. */
const issueNext = (runId: string): Promise<string | null> =>
  environment.run<[Parameters<typeof issueNextAnnualReceipts>[0]], string | null, typeof issueNextAnnualReceipts>(
    issueNextAnnualReceipts,
    { organizationId: world.organizationId, runId, after: null },
  );

const startNext = (): Promise<string | null> =>
  environment.run<[string | null], string | null, typeof startNextAnnualReceipts>(startNextAnnualReceipts, null);

/** A run with its receipts issued. */
async function aRun() {
  const { preview_hash } = await within(() => previewAnnualReceipts(LAST_YEAR));
  const runId = await within(() => startAnnualReceipts(LAST_YEAR, preview_hash));
  const input = { organizationId: world.organizationId, runId };
  const upTo = (await issueNext(runId)) as string;
  return {
    input,
    mail: () => environment.run(mailAnnualReceipts, { ...input, after: null, upTo }),
    finish: () => environment.run(finishAnnualReceipts, input),
    cancel: () => environment.run(cancelAnnualReceipts, input),
  };
}

/** Runs the work while mails go to a server that ends each connection. */
const duringOutage = (work: () => Promise<void>): Promise<void> =>
  withServer((socket) => void socket.end('421 busy\r\n'), work);

test('each donor gets one mail with the receipt, also if the step is repeated', async () => {
  const gifts: Gift[] = [];
  for (let n = 0; n < 12; n += 1) gifts.push(await giftOf());
  const run = await aRun();
  await run.mail();
  await run.mail();
  expect(await run.finish()).toBe('issued');
  expect(await run.finish()).toBe('issued');
  expect(
    annualMails()
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual(gifts.map(({ email }) => email).toSorted());
  expect(await handedOver()).toEqual([]);
  const [gift] = gifts as [Gift];
  const receipt = await lastOf(gift);
  expect(receipt.mail_status).toBe('mailed');
  const [mail] = annualMails().filter(({ to }) => to.includes(gift.email));
  expect(mail).toMatchObject({
    subject: `Annual receipt ${receipt.number} for ${LAST_YEAR} of Alpha Foundation, Inc.`,
    message_id: `<receipt.${receipt.id}@example.org>`,
    attachments: [{ name: `receipt-${receipt.number}.pdf`, media_type: 'application/pdf' }],
  });
  for (const part of ['Hello Dana,', '$50.00', 'one gift', 'It is no addition to the receipts of single gifts'])
    expect(mail?.text).toContain(part);
  const pdf = await documentText(Buffer.from(mail?.attachments[0]?.content as string, 'base64'));
  for (const part of [receipt.number, 'Dana Reyes', '$50.00', receipt.code]) expect(pdf).toContain(part);
});

test('two steps at the same moment mail each donor once', async () => {
  for (let n = 0; n < 12; n += 1) await giftOf();
  const run = await aRun();
  await Promise.all([run.mail(), run.mail()]);
  const addresses = annualMails().flatMap(({ to }) => to);
  // A mail that the other step is sending may be left to the process of its receipt.
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const id of await handedOver())
    await environment.run(mailDonationReceipt, { organizationId: world.organizationId, receiptId: id });
  expect(annualMails()).toHaveLength(12);
});

test('refused and suppressed addresses are undeliverable, and a recipient who is busy is left to another process', async () => {
  const refused = await giftOf({ email: 'reject-550@annual.example.org' });
  const suppressed = await giftOf({ email: 'suppressed@annual.example.org' });
  const busy = await giftOf({ email: 'reject-451@annual.example.org' });
  const fine = await giftOf();
  await asOwner(
    `INSERT INTO mail_suppressions (organization_id, email, reason, status) VALUES ($1, $2, 'unknown_address', '5.1.1')`,
    [world.organizationId, suppressed.email],
  );
  const run = await aRun();
  await run.mail();
  expect(await run.finish()).toBe('issued');
  const statuses = await Promise.all([refused, suppressed, busy, fine].map(lastOf));
  expect(statuses.map(({ mail_status }) => mail_status)).toEqual([
    'undeliverable',
    'undeliverable',
    'waiting',
    'mailed',
  ]);
  expect(await handedOver()).toEqual([(await lastOf(busy)).id]);
});

test('while the server accepts no mail the step is repeated, and nothing is handed over', async () => {
  for (let n = 0; n < 3; n += 1) await giftOf();
  const run = await aRun();
  await duringOutage(async () => {
    for (let time = 0; time < 2; time += 1) await expect(run.mail()).rejects.toMatchObject({ name: 'MailUnavailable' });
  });
  expect(await handedOver()).toEqual([]);
  await run.mail();
  expect(annualMails()).toHaveLength(3);
});

test('a mail that a dead worker had claimed is left to the process of its receipt, with the same Message-ID', async () => {
  const gift = await giftOf();
  const run = await aRun();
  const { id } = await lastOf(gift);
  await asOwner(
    `INSERT INTO mail_messages (organization_id, message_id, email, critical, repeatable) VALUES ($1, $2, $3, true, true)`,
    [world.organizationId, `receipt.${id}`, gift.email],
  );
  await run.mail();
  expect([annualMails(), await handedOver()]).toEqual([[], [id]]);
  await asOwner(`UPDATE mail_messages SET claimed_at = now() - interval '3 minutes' WHERE message_id = $1`, [
    `receipt.${id}`,
  ]);
  await environment.run(mailDonationReceipt, { organizationId: world.organizationId, receiptId: id });
  expect(annualMails()).toMatchObject([{ message_id: `<receipt.${id}@example.org>` }]);
});

test('a cancelled run keeps its issued receipts, and leaves their mails to other processes', async () => {
  const gift = await giftOf();
  const run = await aRun();
  for (let time = 0; time < 2; time += 1) await run.cancel();
  expect(await run.finish()).toBe('cancelled');
  const { id, status } = await lastOf(gift);
  expect([status, await handedOver()]).toEqual(['valid', [id]]);
  expect(await issueNext(run.input.runId)).toBeNull();
});

test('a receipt that was replaced before its mail left is not mailed', async () => {
  const gift = await giftOf();
  const run = await aRun();
  await move(gift, 'returned', 1_000);
  await run.mail();
  expect(annualMails()).toEqual([]);
  await environment.run(mailDonationReceipt, {
    organizationId: world.organizationId,
    receiptId: (await lastOf(gift)).id,
  });
  expect(annualMails()).toMatchObject([{ subject: expect.stringContaining('Corrected annual receipt') }]);
});

test('the Schedule starts one run for last year in each organization with a due receipt', async () => {
  // Before 15 January no receipt is due; this test runs on any day.
  await asOwner(`CREATE OR REPLACE FUNCTION app.annual_receipt_year(p_day date) RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT extract(year FROM p_day)::int - 1 $$`);
  const gift = await giftOf();
  const other = await aWorld({ members: 1 });
  await aFoundation(other);
  const incomplete = await aWorld({ members: 1 });
  await aGift(incomplete.organizationId, await aFoundation(incomplete), { at: lastYear() });
  await asOwner('UPDATE foundation_configs SET ein = NULL WHERE organization_id = $1', [incomplete.organizationId]);
  for (let time = 0; time < 2; time += 1) expect(await startNext()).toBeNull();
  const runs = await asOwner(
    `SELECT organization_id, tax_year, receipts_planned, started_by FROM annual_receipt_runs
      WHERE organization_id = ANY ($1)`,
    [[world, other, incomplete].map(({ organizationId }) => organizationId)],
  );
  const own = { organization_id: world.organizationId, tax_year: LAST_YEAR };
  expect(runs).toEqual([{ ...own, receipts_planned: 1, started_by: null }]);
  // A gift that is recorded later is found by a later run.
  const [run] = await asOwner<{ id: string }>('SELECT id FROM annual_receipt_runs WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const input = { organizationId: world.organizationId, runId: run?.id as string };
  await issueNext(input.runId);
  await environment.run(finishAnnualReceipts, input);
  expect(await annualReceiptsOf(gift)).toHaveLength(1);
  const late = await giftOf();
  await startNext();
  const [, next] = await asOwner<{ id: string }>(
    'SELECT id FROM annual_receipt_runs WHERE organization_id = $1 ORDER BY id',
    [world.organizationId],
  );
  await issueNext(next?.id as string);
  expect(await annualReceiptsOf(late)).toHaveLength(1);
});
