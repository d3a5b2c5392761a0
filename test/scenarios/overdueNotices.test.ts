/** Notices that an earlier release wrote: their process still mails them, with the same recipients and contents. */
import '../../models/wireAreas.js';
import { MockActivityEnvironment } from '@temporalio/testing';
import * as steps from '../../activities/finances/overdue.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { claimNotice } from '../../models/finances/overdue/notices.js';
import { noticeText } from '../../models/finances/overdue/noticeText.js';
import { claimDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import { notify } from '../../models/notifications/notify.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aMember, anInvoice, aPlaceholder, aWorld, type World } from '../support/world.js';

let world: World;
let mailbox: Catcher;

beforeAll(async () => {
  mailbox = await startMailServer();
});
beforeEach(async () => {
  world = await aWorld();
  mailbox.mails.clear();
});
afterAll(async () => {
  await stopMailServer(mailbox);
  await closeOwner();
  await sequelize.close();
});

const input = () => ({ organizationId: world.organizationId, day: '2000-01-01', batchId: 'any' });
const mailNext = () =>
  new MockActivityEnvironment().run<[ReturnType<typeof input>], boolean, typeof steps.mailNextNotices>(
    steps.mailNextNotices,
    input(),
  );
const outcomes = async () =>
  (
    await asOwner<{ outcome: string | null }>(
      'SELECT outcome FROM invoice_notices WHERE organization_id = $1 ORDER BY id',
      [world.organizationId],
    )
  ).map(({ outcome }) => outcome);

/** A past-due invoice whose notice waits. */
async function anOverdueInvoice(membershipId: string | null = world.member.membershipId): Promise<string> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId, dueIn: -3, cents: 12_345 });
  await asOwner('UPDATE chapter_invoices SET overdue_at = now() WHERE id = $1', [id]);
  await asOwner("INSERT INTO invoice_notices (organization_id, invoice_id, kind) VALUES ($1, $2, 'overdue')", [
    world.organizationId,
    id,
  ]);
  return id;
}

test('a member gets a mail about an overdue invoice, with the amount due and where to pay it', async () => {
  const id = await anOverdueInvoice();
  expect(await mailNext()).toBe(false);
  const [mail, ...others] = mailbox.mails.list();
  expect(others).toEqual([]);
  expect(mail?.to).toEqual([world.member.email]);
  expect(mail?.text).toContain('$123.45');
  expect(mail?.text).toContain(`/invoices/${id}`);
  expect(mail?.message_id).toMatch(/^<overdue\.[0-9a-f-]{36}@/);
  expect(await outcomes()).toEqual(['sent']);
});

test('running the step again sends no mail a second time', async () => {
  await anOverdueInvoice();
  await mailNext();
  await mailNext();
  expect(mailbox.mails.list()).toHaveLength(1);
});

test('two processes at once mail each notice once', async () => {
  for (let n = 0; n < 8; n += 1) await anOverdueInvoice();
  await Promise.all([mailNext(), mailNext(), mailNext()]);
  const ids = mailbox.mails.list().map(({ message_id }) => message_id);
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
});

test('an invoice that was paid after it was marked is not mailed', async () => {
  const id = await anOverdueInvoice();
  await asOwner(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
     VALUES ($1, $2, 'cheque', 12345, 'succeeded', now())`,
    [world.organizationId, id],
  );
  await mailNext();
  expect(mailbox.mails.list()).toEqual([]);
  expect(await outcomes()).toEqual(['skipped']);
});

test('a person whose account was erased gets no mail about an invoice that is still due', async () => {
  const erasedMember = await aMember(world.organizationId, world.chapterId);
  await asOwner("UPDATE users SET email = 'erased-' || id || '@erased.invalid' WHERE id = $1", [erasedMember.userId]);
  await anOverdueInvoice(erasedMember.membershipId);
  await mailNext();
  expect(mailbox.mails.list()).toEqual([]);
  expect(await outcomes()).toEqual(['skipped']);
});

test('an overdue invoice of a chapter is mailed to its treasurer', async () => {
  await anOverdueInvoice(null);
  await mailNext();
  expect(mailbox.mails.list().map(({ to }) => to)).toEqual([[world.officer.email]]);
});

test('officers from whom amounts are hidden get no amounts in their mail', async () => {
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const invoice = await anOverdueInvoice(null);
  await mailNext();
  const text = mailbox.mails.list()[0]?.text ?? '';
  expect(text).toContain(invoice);
  // Random names may contain any digits.
  expect(text.replace(invoice, '').replace(world.slug, '')).not.toMatch(/\$|123/);
});

test('a notice to a chapter without officers is mailed to an organization admin', async () => {
  await asOwner("UPDATE memberships SET role = 'member' WHERE chapter_id = $1", [world.chapterId]);
  await anOverdueInvoice(null);
  await mailNext();
  expect(mailbox.mails.list().map(({ to }) => to)).toEqual([[world.admin.email]]);
});

test('a notice to an address that is refused permanently has failed, and the others are mailed', async () => {
  const unreachable = await aMember(world.organizationId, world.chapterId);
  await asOwner("UPDATE users SET email = 'reject-550@example.org' WHERE id = $1", [unreachable.userId]);
  await anOverdueInvoice(unreachable.membershipId);
  await anOverdueInvoice();
  await mailNext();
  expect(await outcomes()).toEqual(['failed', 'sent']);
  await asOwner("UPDATE users SET email = 'was-550-' || id || '@example.org' WHERE id = $1", [unreachable.userId]);
});

describe('deferred mails', () => {
  let slow: string;
  beforeEach(async () => {
    const member = await aMember(world.organizationId, world.chapterId);
    slow = member.userId;
    await asOwner("UPDATE users SET email = 'reject-451@example.org' WHERE id = $1", [slow]);
    await anOverdueInvoice(member.membershipId);
    await anOverdueInvoice();
  });
  afterEach(() => asOwner("UPDATE users SET email = 'was-451-' || id || '@example.org' WHERE id = $1", [slow]));

  test('a mail that the server defers does not delay the others, and is tried again', async () => {
    await expect(mailNext()).rejects.toThrow('deferred');
    expect(await outcomes()).toEqual([null, 'sent']);
    await asOwner("UPDATE users SET email = 'now-' || id || '@example.org' WHERE id = $1", [slow]);
    expect(await mailNext()).toBe(false);
    expect(await outcomes()).toEqual(['sent', 'sent']);
  });

  test('a mail that the server defers for three days has failed', async () => {
    await asOwner("UPDATE invoice_notices SET created_at = now() - interval '4 days' WHERE organization_id = $1", [
      world.organizationId,
    ]);
    await mailNext();
    expect(await outcomes()).toEqual(['failed', 'sent']);
  });
});

test('a notice that was claimed by a worker that died is shown as unknown and not mailed', async () => {
  await anOverdueInvoice();
  await inTenant(world.organizationId, () => claimNotice([]));
  expect(await mailNext()).toBe(false);
  const seconds = await steps.closeUncertainNotices(input());
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  await asOwner("UPDATE invoice_notices SET claimed_at = now() - interval '11 minutes' WHERE organization_id = $1", [
    world.organizationId,
  ]);
  expect(await steps.closeUncertainNotices(input())).toBe(0);
  expect(await outcomes()).toEqual(['unknown']);
  expect(await mailNext()).toBe(false);
  expect(mailbox.mails.list()).toEqual([]);
});

describe('notifications and notices', () => {
  const byRole = (...roles: string[]) =>
    asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1 AND NOT role = ANY($2)`, [
      world.chapterId,
      roles,
    ]);
  const president = () => aMember(world.organizationId, world.chapterId, 'president');
  const hidden = () =>
    asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
      world.organizationId,
    ]);
  /** A membership whose person has not accepted yet. @returns the membership's id */
  const named = async (role: string) => {
    const placeholder = await aPlaceholder(world.organizationId);
    const [row] = await asOwner<{ id: string }>(
      `INSERT INTO memberships (organization_id, chapter_id, user_id, role, status) VALUES ($1, $2, $3, $4, 'undergrad') RETURNING id`,
      [world.organizationId, world.chapterId, placeholder, role],
    );
    return row?.id as string;
  };
  const makeInactive = (userId: string) =>
    asOwner(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1`, [userId]);
  /** Disabled accounts are not written to. */
  const noAdmins = () =>
    asOwner(
      `WITH left_alone AS (SELECT set_config('app.leave_without_admin', 'on', true))
       UPDATE users SET disabled_at = now() FROM left_alone
        WHERE id IN (SELECT user_id FROM organization_admins WHERE organization_id = $1)`,
      [world.organizationId],
    );

  const OF_CHAPTER: [who: string, given: () => Promise<unknown>][] = [
    ['the treasurer', president],
    ['the treasurer, without amounts', hidden],
    ['the president', async () => [await president(), await byRole('president')]],
    ['the president, without amounts', async () => [await hidden(), await president(), await byRole('president')]],
    ['an admin', () => byRole()],
    ['an admin, with amounts', async () => [await hidden(), await byRole()]],
    [
      'the president, while the treasurer has no account',
      async () => [await byRole(), await president(), await named('officer')],
    ],
    [
      'the president, when the treasurer left',
      async () => [await president(), await makeInactive(world.officer.userId)],
    ],
    ['no recipient', async () => [await byRole(), await noAdmins()]],
  ];
  test.each(OF_CHAPTER)(
    "a notification and a notice about a chapter's overdue invoice go to the same recipient: %s",
    async (_who, given) => {
      await given();
      await bothTell(null);
    },
  );

  const OF_MEMBER: [who: string, given: () => Promise<string>][] = [
    ['the member', () => Promise.resolve(world.member.membershipId)],
    ['one who left', async () => (await makeInactive(world.member.userId), world.member.membershipId)],
    ['one without an account', () => named('member')],
    ['one from whom officers hide amounts', async () => (await hidden(), world.member.membershipId)],
  ];
  test.each(OF_MEMBER)(
    "a notification and a notice about a member's overdue invoice go to the same recipient: %s",
    async (_who, given) => bothTell(await given()),
  );

  /** Both go to the same address, and both contain the amount or neither does. */
  async function bothTell(membershipId: string | null): Promise<void> {
    const invoice = await anOverdueInvoice(membershipId);
    const [notice, { claimed }] = await inTenant(world.organizationId, async () => {
      await notify(notifications.invoice_overdue, [invoice]);
      return [await claimNotice([]), await claimDeliveries('email', 10)] as const;
    });
    expect(claimed.map(({ address }) => address)).toEqual(notice?.email ? [notice.email] : []);
    for (const { title, body } of claimed) {
      expect(`${title} ${body}`.includes('123.45 USD')).toBe(notice?.showsAmount);
      expect(notice && noticeText(notice).text.includes('123.45')).toBe(notice?.showsAmount);
      if (!notice?.showsAmount) expect(`${title} ${body}`).not.toMatch(/123|USD/);
    }
  }

  test.each([
    [
      'paid',
      `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
              SELECT organization_id, id, 'cheque', 12345, 'succeeded', now() FROM chapter_invoices WHERE id = $1`,
    ],
    ['voided', `UPDATE chapter_invoices SET voided_at = now() WHERE id = $1`],
  ])('an overdue notification is not mailed when its invoice was %s in the meantime', async (_how, change) => {
    const invoice = await anOverdueInvoice();
    await inTenant(world.organizationId, () => notify(notifications.invoice_overdue, [invoice]));
    await asOwner(change, [invoice]);
    const { claimed, evaluated: looked } = await inTenant(world.organizationId, () => claimDeliveries('email', 10));
    expect([claimed, looked]).toEqual([[], 1]);
  });
});
