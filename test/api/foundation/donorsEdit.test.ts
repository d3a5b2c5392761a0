import { inTenant } from '../../../models/database/tenancy.js';
import { claimMails } from '../../../models/notifications/mail/claimMails.js';
import { aMailbox } from '../../support/accountMail.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aGift, type Gift, move, receiptsOf } from '../../support/gifts.js';
import { anOfflineGift, aWaitingGift } from '../../support/giving.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { untilWaiting } from '../../support/lockWaits.js';
import { asOwner, overOwner } from '../../support/owner.js';

const { world, other, as } = apiWorld();
const mailbox = aMailbox();
let foundation: Foundation;
let theirs: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  theirs = await aFoundation(other);
});
afterAll(() => expectSoundLedger());

const path = (id: string, step = '') => `/api/foundation/donors/${id}/${step && `${step}/`}`;
const change = (id: string, edit: Record<string, unknown>) => as(foundation.admin).patch(path(id), edit);
const erase = (id: string) => as(foundation.admin).post(path(id, 'erase'));
const gift = (details = {}) => aGift(world.organizationId, foundation, details);
const logOf = (id: string) =>
  asOwner<{ action: string; before: unknown; after: unknown }>(
    'SELECT action, before, after FROM audit_log WHERE subject_id = $1 ORDER BY id',
    [id],
  );
const noticesTo = (email: string) =>
  asOwner<{ id: string }>('SELECT id FROM account_notices WHERE email = $1', [email]);
const replaced = { status: 'superseded' };
const withName = (donor_name: string) => ({ status: 'valid', mail_status: 'waiting', printed: { donor_name } });

describe('a corrected name', () => {
  test('replaces the valid receipts of all gifts, and those of later refunds print it', async () => {
    const first = await gift({ firstName: 'Ada', lastName: 'Lovelance', at: '2025-12-31T12:00:00Z' });
    const second = await gift({ email: first.email, firstName: 'A.', lastName: 'Lovelace' });
    const answer = await change(first.donorId, { last_name: 'Lovelace' });
    expect(answer).toMatchObject({
      status: 200,
      body: { first_name: 'Ada', last_name: 'Lovelace', email: first.email },
    });
    for (const given of [first, second])
      expect(await receiptsOf(given)).toMatchObject([replaced, withName('Ada Lovelace')]);
    const [old, corrected] = await receiptsOf(first);
    expect(corrected).toMatchObject({
      replaces: old?.id,
      printed: { replaces_number: old?.number, given_on: '2025-12-31' },
    });
    expect(corrected?.number.slice(0, 4)).toBe('2025');
    await move(first, 'returned', 1_000);
    expect((await receiptsOf(first)).at(-1)).toMatchObject({ amount_cents: 4_000, ...withName('Ada Lovelace') });
  });

  test('leaves receipts alone that print it already, and gifts that come later keep their own name', async () => {
    const given = await gift({ firstName: 'Ada', lastName: 'King' });
    await change(given.donorId, { first_name: 'Ada' });
    expect(await receiptsOf(given)).toMatchObject([{ status: 'valid' }]);
    const later = await gift({ email: given.email, firstName: 'Countess', lastName: 'King' });
    expect(await receiptsOf(later)).toMatchObject([withName('Countess King')]);
    await change(given.donorId, { first_name: 'Ada' });
    expect(await receiptsOf(later)).toMatchObject([replaced, withName('Ada King')]);
  });

  test('leaves void receipts void, and is not mailed if the receipt never was', async () => {
    const [donationId, returned] = [
      await anOfflineGift(world, foundation, { email: 'silent@example.org', send_receipt: false }),
      await gift({ email: 'silent@example.org' }),
    ];
    await move(returned, 'returned', 5_000);
    await change(returned.donorId, { first_name: 'Augusta' });
    expect(await receiptsOf(returned)).toMatchObject([{ status: 'void' }]);
    expect(await receiptsOf({ donationId })).toMatchObject([
      { status: 'superseded', mail_status: 'not_requested' },
      { status: 'valid', mail_status: 'not_requested' },
    ]);
  });

  test('reaches the receipts of gifts that arrive at the same time', async () => {
    const first = await gift({ email: 'busy@example.org' });
    const arriving = Array.from({ length: 8 }, (_, n) =>
      anOfflineGift(world, foundation, { email: 'busy@example.org', idempotency_key: `busy-${n}` }),
    );
    const [answer, ...ids] = await Promise.all([change(first.donorId, { first_name: 'Augusta' }), ...arriving]);
    expect(answer.status).toBe(200);
    expect(ids).toHaveLength(8);
    await expectSoundLedger();
  });
});

test('a corrected name waits for a refund that locks the gift before its donor', async () => {
  const { donorId, donationId } = await gift();
  const renaming = await overOwner(async (refund) => {
    await refund.query('BEGIN');
    await refund.query('SELECT FROM donations WHERE id = $1 FOR UPDATE', [donationId]);
    const answer = change(donorId, { last_name: 'Byron' });
    await untilWaiting(1);
    await refund.query('SELECT FROM donors WHERE id = $1 FOR NO KEY UPDATE', [donorId]);
    await refund.query('COMMIT');
    return { answer };
  });
  expect((await renaming.answer).status).toBe(200);
});

describe('a changed e-mail address', () => {
  test('is notified to the old one, and no value is in the audit log', async () => {
    const given = await gift();
    const email = `new-${given.email}`;
    expect((await change(given.donorId, { email: email.toUpperCase() })).body).toMatchObject({ email });
    const [notice] = await noticesTo(given.email);
    expect(notice).toBeDefined();
    const [mail] = await mailbox.to(given.email);
    expect(mail).toMatchObject({ subject: 'The e-mail address of your gifts was changed' });
    expect(mail?.text).toContain('Alpha Foundation');
    expect(mail?.text).not.toContain(email);
    expect(await noticesTo(given.email)).toEqual([]);
    expect(await logOf(given.donorId)).toMatchObject([
      { action: 'donor.updated', before: { email: null }, after: { email: null } },
    ]);
    expect(await receiptsOf(given)).toHaveLength(1);
  });

  test('links the donor to the account of the new address, and to no account elsewhere', async () => {
    const given = await gift();
    const addressOf = async (userId: string) => {
      const email = `verified-${userId}@example.org`;
      await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [userId, email]);
      return email;
    };
    const own = await addressOf(world.member.userId);
    expect((await change(given.donorId, { email: own })).body.user).toBe(world.member.userId);
    expect((await change(given.donorId, { email: await addressOf(other.member.userId) })).body.user).toBeNull();
  });

  test('is unsubscribed from bulletins if the old one was', async () => {
    const optoutOf = (email: string) => asOwner('SELECT 1 FROM foundation_bulletin_optouts WHERE email = $1', [email]);
    for (const isUnsubscribed of [true, false]) {
      const given = await gift();
      if (isUnsubscribed)
        await asOwner('INSERT INTO foundation_bulletin_optouts (organization_id, email) VALUES ($1, $2)', [
          world.organizationId,
          given.email,
        ]);
      const email = `moved-${given.email}`;
      expect((await change(given.donorId, { email })).status).toBe(200);
      expect(await optoutOf(email)).toHaveLength(isUnsubscribed ? 1 : 0);
    }
  });

  test('that another donor has is refused, and changes nothing', async () => {
    const [given, second] = [await gift(), await gift()];
    expect(await change(given.donorId, { email: second.email, first_name: 'Augusta' })).toMatchObject({
      status: 409,
      body: { code: 'duplicate' },
    });
    expect(await receiptsOf(given)).toHaveLength(1);
    expect(await noticesTo(given.email)).toEqual([]);
    // The other foundation may have the same address.
    const elsewhere = await aGift(other.organizationId, theirs);
    expect((await change(given.donorId, { email: elsewhere.email })).status).toBe(200);
  });
});

test.each([
  ['email', 'nobody'],
  ['email', null],
  ['first_name', ''],
  ['last_name', 'x'.repeat(101)],
  ['first_name', 'a\r\nBcc: all@example.org'],
  ['phone', 'x'.repeat(51)],
  ['total_cents', 1],
  ['user', '01890000-0000-7000-8000-000000000000'],
])('%s %p is refused', async (field, value) => {
  const { donorId } = await gift();
  expect(await change(donorId, { [field]: value })).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { [field]: expect.any(Array) } },
  });
});

describe('erasing a donor', () => {
  const donorOf = async ({ donorId }: Gift) => (await as(foundation.admin).get(path(donorId))).body;

  test('removes contact and mails, and keeps gifts, totals and receipts', async () => {
    const given = await gift({ firstName: 'Ada', lastName: 'Byron' });
    await change(given.donorId, { phone: '+1 555 0100', address: '1 Main Street', last_name: 'King' });
    const claimed = (recipientId: string | null, messageId: string) => ({
      messageId,
      recipientId,
      email: given.email,
      critical: true,
      repeatable: true,
      notificationIds: [],
    });
    await inTenant(world.organizationId, () =>
      claimMails([claimed(null, 'receipt.old'), claimed(world.member.userId, 'account.old')]),
    );
    const gifts = await asOwner('SELECT * FROM donations WHERE donor_id = $1', [given.donorId]);
    expect(await erase(given.donorId)).toMatchObject({
      status: 200,
      body: {
        email: null,
        phone: null,
        address: null,
        user: null,
        first_name: 'Erased',
        last_name: 'donor',
        total_cents: 5_000,
        gift_count: 1,
        erased_at: expect.any(String),
      },
    });
    expect(await asOwner('SELECT * FROM donations WHERE donor_id = $1', [given.donorId])).toEqual(gifts);
    expect(await receiptsOf(given)).toMatchObject([
      { status: 'superseded', mail_status: 'replaced' },
      { status: 'valid', mail_status: 'cancelled', printed: { donor_name: 'Ada King' } },
    ]);
    // The mail to an account is that of the account.
    expect(await asOwner('SELECT message_id FROM mail_messages WHERE email = $1', [given.email])).toEqual([
      { message_id: 'account.old' },
    ]);
    const log = await logOf(given.donorId);
    expect(log.map(({ action }) => action)).toEqual(['donor.updated', 'donor.erased']);
    expect(JSON.stringify(log)).not.toMatch(/Ada|King|Main Street|example/);
  });

  test('happens once, and nothing about the donor can change afterwards', async () => {
    const given = await gift();
    const [first, second] = await Promise.all([erase(given.donorId), erase(given.donorId)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await logOf(given.donorId)).map(({ action }) => action)).toEqual(['donor.erased']);
    expect(await change(given.donorId, { first_name: 'Ada' })).toMatchObject({
      status: 409,
      body: { code: 'donor_erased' },
    });
  });

  test('leaves refunds possible: the corrected receipt keeps the name, and is not mailed to anybody', async () => {
    const given = await gift({ firstName: 'Ada', lastName: 'Byron' });
    await change(given.donorId, { last_name: 'King' });
    await erase(given.donorId);
    await move(given, 'returned', 1_000);
    expect((await receiptsOf(given)).at(-1)).toMatchObject({
      status: 'valid',
      amount_cents: 4_000,
      printed: { donor_name: 'Ada King' },
    });
  });

  test('lets the same address give again, as a new donor', async () => {
    const given = await gift();
    await erase(given.donorId);
    const again = await aWaitingGift(world, foundation, { email: given.email });
    const [{ donor_id }] = (await asOwner('SELECT donor_id FROM donations WHERE id = $1', [again])) as [
      { donor_id: string },
    ];
    expect(donor_id).not.toBe(given.donorId);
    expect(await donorOf(given)).toMatchObject({ email: null, total_cents: 5_000 });
  });
});

test('only admins of the foundation change and erase donors, and those of another foundation are unknown', async () => {
  const { donorId } = await gift();
  for (const person of [foundation.editor, world.admin, world.member]) {
    expect((await as(person).patch(path(donorId), { first_name: 'Eve' })).status).toBe(403);
    expect((await as(person).post(path(donorId, 'erase'))).status).toBe(403);
  }
  await expectNowhere(donorId, (id) => as(theirs.admin).patch(path(id), { first_name: 'Eve' }));
  await expectNowhere(donorId, (id) => as(theirs.admin).post(path(id, 'erase')));
});
