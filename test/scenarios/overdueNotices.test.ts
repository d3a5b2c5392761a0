import { MockActivityEnvironment } from '@temporalio/testing';
import * as steps from '../../activities/finances/overdue.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { claimNotice } from '../../models/finances/overdue/notices.js';
import { asOwner, closeOwner } from '../support/owner.js';
import type { MarkOverdueInput } from '../../workflows/contracts/markOverdue.js';
import { aMember, anInvoice, aWorld, type World } from '../support/world.js';

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

/** A past-due invoice that has been marked, and so has a notice. */
async function anOverdueInvoice(membershipId: string | null = world.member.membershipId): Promise<string> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId, dueIn: -3, cents: 12_345 });
  await new MockActivityEnvironment().run<[MarkOverdueInput], number, typeof steps.markNextOverduePage>(
    steps.markNextOverduePage,
    { organizationId: world.organizationId, day: '2999-01-01' },
  );
  return id;
}

test('a member is told about an overdue invoice, with what is due and where to pay it', async () => {
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

test('running the step again mails nobody again', async () => {
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

test('an invoice that was paid after it was marked is not mailed about', async () => {
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

test('an invoice of a chapter is mailed to its treasurer', async () => {
  await anOverdueInvoice(null);
  await mailNext();
  expect(mailbox.mails.list().map(({ to }) => to)).toEqual([[world.officer.email]]);
});

test('officers from whom amounts are hidden are not mailed them', async () => {
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const invoice = await anOverdueInvoice(null);
  await mailNext();
  const text = mailbox.mails.list()[0]?.text ?? '';
  expect(text).toContain(invoice);
  // Names that chance has made may hold any digits.
  expect(text.replace(invoice, '').replace(world.slug, '')).not.toMatch(/\$|123/);
});

test('a chapter without officers is mailed to through an organization admin', async () => {
  await asOwner("UPDATE memberships SET role = 'member' WHERE chapter_id = $1", [world.chapterId]);
  await anOverdueInvoice(null);
  await mailNext();
  expect(mailbox.mails.list().map(({ to }) => to)).toEqual([[world.admin.email]]);
});

test('an address that is refused for good is noted as failed, and the others are mailed', async () => {
  const gone = await aMember(world.organizationId, world.chapterId);
  await asOwner("UPDATE users SET email = 'reject-550@example.org' WHERE id = $1", [gone.userId]);
  await anOverdueInvoice(gone.membershipId);
  await anOverdueInvoice();
  await mailNext();
  expect(await outcomes()).toEqual(['failed', 'sent']);
  await asOwner("UPDATE users SET email = 'was-550-' || id || '@example.org' WHERE id = $1", [gone.userId]);
});

describe('a server that puts a mail off', () => {
  let slow: string;
  beforeEach(async () => {
    const member = await aMember(world.organizationId, world.chapterId);
    slow = member.userId;
    await asOwner("UPDATE users SET email = 'reject-451@example.org' WHERE id = $1", [slow]);
    await anOverdueInvoice(member.membershipId);
    await anOverdueInvoice();
  });
  afterEach(() => asOwner("UPDATE users SET email = 'was-451-' || id || '@example.org' WHERE id = $1", [slow]));

  test('does not hold up the others, and is asked again', async () => {
    await expect(mailNext()).rejects.toThrow('put off');
    expect(await outcomes()).toEqual([null, 'sent']);
    await asOwner("UPDATE users SET email = 'now-' || id || '@example.org' WHERE id = $1", [slow]);
    expect(await mailNext()).toBe(false);
    expect(await outcomes()).toEqual(['sent', 'sent']);
  });

  test('is given up after three days', async () => {
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
